/**
 * ESLint rule that keeps the arrows of the architecture: ui -> rollouts -> (models | twins | agents) -> world.
 * It looks at the folder of the importing file and at the folder or package that is imported.
 */
import { dirname, relative, resolve } from 'node:path';

/** Packages that tie code to one place. Pure folders run in the page, in a worker and in Node. */
const TIED = /^(node:|onnxruntime|svelte(\/|$)|comlink|idb$|@xenova\/|@huggingface\/|vite|playwright|fake-indexeddb)/;
const UI_FRAMEWORK = /^svelte(\/|$)/;
const NODE = /^node:/;

/**
 * What a layer may import: `from` layers by value, `types` layers by `import type` only; `not` names packages it may not.
 * @type {Record<string, { from: string[], types?: string[], not?: RegExp }>}
 */
const LAYERS = {
  world: { from: ['world'], not: TIED },
  twins: { from: ['twins', 'world'], not: TIED },
  metrics: { from: ['metrics', 'world'], types: ['rollouts'], not: TIED },
  models: { from: ['models', 'world'], types: ['workers'], not: UI_FRAMEWORK },
  agents: { from: ['agents', 'world'], not: UI_FRAMEWORK },
  rollouts: { from: ['rollouts', 'models', 'twins', 'agents', 'world', 'workers'], not: UI_FRAMEWORK },
  // The batch lab, blind rating, steering and the adversarial suite lie in rollouts and on top of them: they score answers.
  batch: {
    from: ['batch', 'rollouts', 'metrics', 'models', 'twins', 'agents', 'world', 'workers'],
    not: UI_FRAMEWORK,
  },
  workers: { from: ['workers', 'models', 'twins', 'world'], not: UI_FRAMEWORK },
  // The bench's page and worker: models alone, without the app around them.
  bench: { from: ['bench', 'models', 'world'], not: UI_FRAMEWORK },
  ui: { from: ['ui', 'batch', 'rollouts', 'metrics', 'models', 'twins', 'agents', 'world', 'workers'] },
};

/** Layer of a path inside the repository, if it belongs to one. */
function layerOf(/** @type {string} */ path) {
  const [top, second, third] = path.split(/[\\/]/);
  if (
    top === 'src' &&
    second === 'rollouts' &&
    ['lab', 'rating', 'steering', 'adversarial', 'suites'].includes(third ?? '')
  )
    return 'batch';
  const name = top === 'src' ? second : top === 'workers' ? 'workers' : undefined;
  return name !== undefined && name in LAYERS ? name : name === 'cli' ? 'cli' : undefined;
}

/** @type {import('eslint').Rule.RuleModule} */
export const layers = {
  meta: {
    type: 'problem',
    docs: { description: 'imports follow the arrows ui -> rollouts -> (models | twins | agents) -> world' },
    schema: [],
    messages: {
      arrow: '{{from}} must not import {{to}}: it may import {{allowed}} (DESIGN, section 2).',
      typesOnly: '{{from}} may import only types from {{to}}: write "import type".',
      package: '{{from}} must not import "{{name}}": it has to run in the page, in a worker and in Node alike.',
      node: '{{from}} runs in browsers too: "{{name}}" belongs in src/cli or in a file named *.node.ts.',
    },
  },
  create(context) {
    const file = relative(context.cwd, context.filename);
    const from = layerOf(file);
    const rule = from === undefined ? undefined : LAYERS[from];
    // Tests stand beside the code and may bring anything together.
    if (!from || !rule || /\.test\.[cm]?ts$/.test(file)) return {};

    /** @param {import('estree').Node} node @param {unknown} source @param {boolean} typeOnly */
    const look = (node, source, typeOnly) => {
      if (typeof source !== 'string') return;
      const report = (/** @type {string} */ messageId, /** @type {Record<string, string>} */ data) =>
        context.report({ node, messageId, data: { from, ...data } });
      if (!source.startsWith('.')) {
        if (rule.not?.test(source)) return report('package', { name: source });
        if (NODE.test(source) && !/\.node\.ts$/.test(file)) return report('node', { name: source });
        return;
      }
      const target = relative(context.cwd, resolve(dirname(context.filename), source.replace(/\?.*$/, '')));
      const to = layerOf(target);
      if (!to || rule.from.includes(to)) return;
      if (!rule.types?.includes(to)) return report('arrow', { to, allowed: rule.from.join(', ') });
      if (!typeOnly) report('typesOnly', { to });
    };

    /** @param {any} node */
    const onlyTypes = (node) =>
      node.importKind === 'type' ||
      node.exportKind === 'type' ||
      (node.specifiers?.length > 0 && node.specifiers.every((/** @type {any} */ one) => one.importKind === 'type'));
    return {
      ImportDeclaration: (node) => look(node, node.source.value, onlyTypes(node)),
      ExportNamedDeclaration: (node) => node.source && look(node, node.source.value, onlyTypes(node)),
      ExportAllDeclaration: (node) => look(node, node.source.value, onlyTypes(node)),
      ImportExpression: (node) => look(node, /** @type {any} */ (node.source).value, false),
      // import('x').Type in a type position
      TSImportType: (/** @type {any} */ node) => look(node, node.source?.value ?? node.argument?.literal?.value, true),
    };
  },
};
