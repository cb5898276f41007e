/**
 * The page's views, one line each: the name in the link, the name in the bar, what it is for, and what it loads. Views
 * other than the playground are loaded when they are first opened, so that they cost the first load nothing.
 */
import type { Component } from 'svelte';
import type { App } from './app.svelte';

export interface View {
  id: string;
  title: string;
  /** One sentence under the page's name. */
  line: string;
  /** The component, which gets the page's view-model; the playground is always there. */
  load?: () => Promise<{ default: Component<{ app: App }> }>;
}

export const VIEWS: readonly View[] = [
  {
    id: 'play',
    title: 'Playground',
    line: "Language models stand in for a tool's environment: send one call, compare what a diffusion and an autoregressive model answer, and see what really happens.",
  },
  {
    id: 'lab',
    title: 'Lab',
    line: 'Many rollouts at once: choose worlds, simulators, agents and seeds, and read every rate with its denominator and interval.',
    load: () => import('./lab/Lab.svelte'),
  },
  {
    id: 'steering',
    title: 'Steering',
    line: 'Which directives a simulator follows, what it damages on the way, and whether the rest of an answer fits what was pinned.',
    load: () => import('./steering/Steering.svelte'),
  },
  {
    id: 'adversarial',
    title: 'Adversarial',
    line: 'Situations that tempt a world model to fail, with deterministic verdicts: who falls for which, and the worst answers in full.',
    load: () => import('./adversarial/Adversarial.svelte'),
  },
  {
    id: 'results',
    title: 'Results',
    line: 'Open a result that somebody handed on as one file: its tables are computed again here, and every number that differs is named.',
    load: () => import('./results/Results.svelte'),
  },
  {
    id: 'rate',
    title: 'Rating',
    line: 'Blind pairs of recorded answers, rated by keyboard: authors stay hidden until you have voted.',
    load: () => import('./rating/Rating.svelte'),
  },
];

/** The view with this id; the playground for any other. */
export function viewOf(id: string): View {
  return VIEWS.find((view) => view.id === id) ?? (VIEWS[0] as View);
}
