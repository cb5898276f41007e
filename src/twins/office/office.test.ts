import { expect, test } from 'vitest';
import type { Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import { office } from '.';
import { read, say, type Request } from './requests';

const PEOPLE = { p1: { name: 'ada', team: 'legal' }, p2: { name: 'ugo', team: 'press' } };

const WEEK = office.program({ apps: 'calendar mail', days: 'mon tue', rooms: 'oak dome' });
const CALENDAR: State = {
  people: PEOPLE,
  events: {
    e1: { day: 'mon', from: 10, to: 12, room: 'oak', with: 'p1' },
    e2: { day: 'mon', from: 13, to: 14, room: 'dome', with: 'p2' },
  },
  nextEvent: 'e9',
  mail: { m1: { from: 'p1', text: 'hi', box: 'new' }, m2: { from: 'p2', text: 'yo', box: 'sent' } },
  nextMail: 'm3',
};

const SHARING = office.program({ apps: 'docs mail' });
const DOCS: State = {
  people: PEOPLE,
  docs: { d1: { title: 'plan', owner: 'me' }, d2: { title: 'memo', owner: 'p1' }, d3: { title: 'map', owner: 'p2' } },
  shares: {
    s1: { doc: 'd1', who: 'p1', level: 'view' },
    s2: { doc: 'd2', who: 'me', level: 'edit' },
    s3: { doc: 'd3', who: 'me', level: 'view' },
  },
  nextShare: 's4',
};

const rule = (id: string, params: Rule['params']): Rule => ({ id, params, text: '', enabled: true });
const step = (program: typeof WEEK, state: State, tool: string, args: Record<string, string | number>, ...on: Rule[]) =>
  stepProgram(program, state, on, { tool, args }, []);
const add = (day: string, from: number, hours: number, room: string, who: string, ...on: Rule[]) =>
  step(WEEK, CALENDAR, 'add_event', { day, from, hours, room, with: who }, ...on).status;

test('events clash in a room or for a person, and touching ends do not', () => {
  const inRoom = rule('room_clash', { max: 1 });
  expect(add('mon', 11, 1, 'oak', 'p2', inRoom)).toBe('conflict');
  expect(add('mon', 8, 3, 'oak', 'p2', inRoom)).toBe('conflict');
  expect(add('mon', 8, 2, 'oak', 'p2', inRoom)).toBe('ok');
  expect(add('mon', 12, 1, 'oak', 'p2', inRoom)).toBe('ok');
  expect(add('mon', 11, 1, 'dome', 'p1', inRoom)).toBe('ok');
  expect(add('tue', 11, 1, 'oak', 'p1', inRoom)).toBe('ok');
  expect(add('mon', 11, 1, 'oak', 'p2', rule('room_clash', { max: 2 }))).toBe('ok');
  expect(add('mon', 11, 1, 'dome', 'p1', rule('person_clash', { max: 1 }))).toBe('busy');
  expect(add('mon', 11, 1, 'oak', 'p2')).toBe('ok');
});

test('hours, closed rooms and full days', () => {
  const hours = rule('hours', { open: 9, close: 16 });
  expect(add('tue', 8, 1, 'oak', 'p1', hours)).toBe('outside_hours');
  expect(add('tue', 9, 4, 'oak', 'p1', hours)).toBe('ok');
  expect(add('tue', 15, 1, 'oak', 'p1', hours)).toBe('ok');
  expect(add('tue', 15, 2, 'oak', 'p1', hours)).toBe('outside_hours');
  expect(add('mon', 16, 1, 'oak', 'p1', rule('per_day', { max: 2 }))).toBe('full');
  expect(add('tue', 16, 1, 'oak', 'p1', rule('closed', { room: 'oak', day: 'tue' }))).toBe('closed');
});

test('a moved event keeps its length and does not clash with itself', () => {
  const rules = [rule('room_clash', { max: 1 }), rule('per_day', { max: 2 })];
  const args = { id: 'e1', day: 'mon', from: 11 };
  expect(step(WEEK, CALENDAR, 'move_event', args, ...rules)).toEqual({
    observation: { kind: 'json', value: { id: 'e1', day: 'mon', from: 11, to: 13 } },
    delta: { events: { e1: { from: 11, to: 13 } } },
    status: 'ok',
  });
});

test('mail: reading changes new ones only, sending counts, archiving looks at box and team', () => {
  expect(step(WEEK, CALENDAR, 'read_mail', { id: 'm1' }).delta).toEqual({ mail: { m1: { box: 'read' } } });
  expect(step(WEEK, CALENDAR, 'read_mail', { id: 'm2' }).delta).toEqual({});
  expect(step(WEEK, CALENDAR, 'send_mail', { to: 'p2', text: 'yes' }).delta).toEqual({
    mail: { m3: { from: 'me', to: 'p2', text: 'yes', box: 'sent' } },
    nextMail: 'm4',
  });
  const status = (tool: string, args: Record<string, string>, on: Rule) => step(WEEK, CALENDAR, tool, args, on).status;
  expect(status('send_mail', { to: 'p2', text: 'a' }, rule('sent_max', { max: 1 }))).toBe('quota');
  expect(status('send_mail', { to: 'p2', text: 'a' }, rule('mail_team', { team: 'press' }))).toBe('not_allowed');
  expect(status('send_mail', { to: 'p1', text: 'a' }, rule('mail_team', { team: 'press' }))).toBe('ok');
  expect(status('archive_mail', { id: 'm1' }, rule('archive_box', { box: 'read' }))).toBe('not_allowed');
  expect(status('archive_mail', { id: 'm1' }, rule('keep_team', { team: 'legal' }))).toBe('not_allowed');
  expect(status('archive_mail', { id: 'm1' }, rule('keep_team', { team: 'press' }))).toBe('ok');
});

test('documents: who may share, how often and with whom', () => {
  const give = (doc: string, who: string, level: string, ...on: Rule[]) =>
    step(SHARING, DOCS, 'share_doc', { doc, who, level }, ...on);
  const owners = rule('share_role', { who: 'owners' });
  const editors = rule('share_role', { who: 'owners and editors' });
  expect(['d1', 'd2', 'd3'].map((doc) => give(doc, doc === 'd3' ? 'p1' : 'p2', 'view', owners).status)).toEqual([
    'ok',
    'forbidden',
    'forbidden',
  ]);
  expect(give('d2', 'p2', 'view', editors).status).toBe('ok');
  expect(give('d3', 'p1', 'view', editors).status).toBe('forbidden');
  expect(step(SHARING, DOCS, 'unshare', { id: 's2' }, owners).status).toBe('forbidden');
  expect(step(SHARING, DOCS, 'unshare', { id: 's1' }, owners).delta).toEqual({ shares: { s1: null } });
  // Another level is no new share, so a full document allows it.
  const one = rule('share_max', { max: 1 });
  expect(give('d1', 'p2', 'view', one).status).toBe('full');
  expect(give('d1', 'p1', 'edit', one).delta).toEqual({ shares: { s1: { level: 'edit' } } });
  expect(give('d1', 'p1', 'view').status).toBe('conflict');
  expect(give('d2', 'p1', 'view').status).toBe('conflict');
  expect(give('d1', 'p1', 'edit', rule('team_level', { team: 'legal', level: 'edit' })).status).toBe('not_allowed');
});

test('a tool of a program that the office lacks is unknown; other specs are refused', () => {
  expect(step(SHARING, DOCS, 'list_events', { day: 'mon' }).status).toBe('unknown_tool');
  expect(() => office.program(undefined)).toThrow();
  expect(() => office.program({ apps: 'docs chess' })).toThrow();
});

test('requests in mails are read as they were said', () => {
  const requests: Request[] = [
    { kind: 'meet', day: 'mon', from: 9, hours: 1, room: 'oak' },
    { kind: 'meet', day: 'tue', from: 10, hours: 2, room: 'dome' },
    { kind: 'move', event: 'e_1', day: 'tue', from: 8 },
    { kind: 'cancel', event: 'e-22' },
    { kind: 'share', name: 'me', level: 'view', doc: 'd1' },
  ];
  for (const request of requests) expect(read(say(request))).toEqual(request);
  expect(read('thanks for the cake')).toBeNull();
});
