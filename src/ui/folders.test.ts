import { expect, test } from 'vitest';
import { modelsFolder } from './folders';

const at = (query: string) => modelsFolder(`http://localhost:4173/${query}#world=support`, '/models/');

test.each([
  ['', 'http://localhost:4173/models/'],
  ['?models=/micro/', 'http://localhost:4173/micro/'],
  ['?models=/micro', 'http://localhost:4173/micro/'],
  ['?models=http://localhost:4173/micro/?x', 'http://localhost:4173/micro/'],
])('%s gives %s', (query, url) => {
  expect(at(query)).toEqual({ url, problem: null });
});

test.each(['?models=https://example.com/m/', '?models=//example.com/', '?models=http://[', '?models=data:,x'])(
  '%s is refused and named',
  (query) => {
    const { url, problem } = at(query);
    expect(url).toBe('http://localhost:4173/models/');
    expect(problem).toContain('this site only');
  },
);
