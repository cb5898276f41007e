/** The music app: songs, and what each account likes (one record an account, one member a song). */
import { emptyObject } from '../../world/json';
import { errorAnswer, listAnswer, notFound, recordAnswer } from '../kit/answer';
import { listOf, shape } from '../kit/schema';
import { record, records, type ArgSpec } from '../kit/types';
import { num, text } from '../kit/read';
import { signed, TOKEN, type App } from './accounts';

const SONG: ArgSpec = { type: 'string', from: 'songs' };

export const MUSIC: App = {
  rules: [
    {
      id: 'max_likes',
      code: 'full',
      text: ({ max }) => `likes are limited to ${String(max)} each`,
      violated: ({ max }, facts) => Number(facts.likes) > Number(max),
    },
    {
      id: 'plan',
      code: 'plan_needed',
      text: ({ artist, plan }) => `liking songs of ${String(artist)} needs plan ${String(plan)}`,
      violated: ({ artist, plan }, facts) => facts.artist === artist && facts.plan !== plan,
    },
    {
      id: 'popular',
      text: ({ min }) => `songs hides those with plays below ${String(min)}`,
    },
  ],
  tools: [
    {
      name: 'songs',
      description: 'liked: by you',
      input: { token: TOKEN, artist: { type: 'string', maxLength: 16, optional: true } },
      output: listOf('id@songs title plays:num liked:bool'),
      of: 'songs',
      readOnly: true,
      apply: signed(({ state, args, rule }, user) => {
        const liked = record(state, 'likes', user) ?? emptyObject();
        const least = Number(rule('popular')?.min);
        const found = Object.entries(records(state, 'songs')).filter(
          ([, song]) => (args.artist === undefined || song.artist === args.artist) && !(num(song.plays) < least),
        );
        return listAnswer(
          found.map(([id, song]) => ({
            id,
            title: text(song.title),
            plays: num(song.plays),
            liked: Object.hasOwn(liked, id),
          })),
        );
      }),
    },
    {
      name: 'like',
      description: 'Likes a song',
      input: { token: TOKEN, song: SONG },
      output: shape('song@songs likes:int'),
      of: 'songs',
      readOnly: false,
      apply: signed((call, user, { plan = '' }) => {
        const id = String(call.args.song);
        const song = record(call.state, 'songs', id);
        if (!song) return notFound(call.args.song);
        const own = record(call.state, 'likes', user) ?? emptyObject();
        if (Object.hasOwn(own, id)) return errorAnswer('conflict', 'already liked');
        const likes = Object.keys(own).length + 1;
        const refused = call.forbidden({ artist: song.artist ?? '', plan, likes }, 'plan', 'max_likes');
        return refused ?? recordAnswer({ song: id, likes }, { likes: { [user]: { [id]: true } } });
      }),
    },
    {
      name: 'unlike',
      description: 'Takes a like back',
      input: { token: TOKEN, song: SONG },
      output: shape('song@songs likes:int'),
      of: 'songs',
      readOnly: false,
      apply: signed((call, user) => {
        const id = String(call.args.song);
        const own = record(call.state, 'likes', user) ?? emptyObject();
        if (!Object.hasOwn(own, id)) return notFound(call.args.song);
        return recordAnswer({ song: id, likes: Object.keys(own).length - 1 }, { likes: { [user]: { [id]: null } } });
      }),
    },
  ],
};
