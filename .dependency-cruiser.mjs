import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The layers in order: each may import only itself and what stands before it. This list is the only source. */
const layers = JSON.parse(readFileSync(new URL('./layers.json', import.meta.url), 'utf8'))
const root = 'src'
const pathOf = (layer) => `^${root}/${layer}${layer.endsWith('.ts') ? '$' : '/'}`

const pointsForward = layers.slice(0, -1).map((layer, index) => ({
  name: `layer-${layer}`,
  comment: `${layer} may import only ${layers.slice(0, index + 1).join(', ')}`,
  severity: 'error',
  from: { path: pathOf(layer), pathNot: '\\.test\\.ts$' },
  to: { path: layers.slice(index + 1).map(pathOf) },
}))

export default {
  forbidden: [
    ...pointsForward,
    {
      name: 'outside-layers',
      comment: 'every file of src/ belongs to a layer of layers.json',
      severity: 'error',
      from: { path: `^${root}/`, pathNot: layers.map(pathOf) },
      to: {},
    },
    {
      name: 'no-cycle',
      comment: 'no file may lead back to itself, not even by types: such files can only be read together',
      severity: 'error',
      from: { path: `^${root}/` },
      to: { circular: true },
    },
    {
      name: 'checker-alone',
      comment:
        'whoever checks the record must be able to copy the checker: it shares no code with what it checks',
      severity: 'error',
      from: { path: `^${root}/cli/verify-record/` },
      to: { pathNot: `^${root}/cli/verify-record/`, dependencyTypesNot: ['core'] },
    },
    {
      name: 'no-dev-dependency',
      comment: 'what runs in production may not import a development tool',
      severity: 'error',
      from: { path: `^${root}/`, pathNot: `\\.test\\.ts$|^${root}/testing/` },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'not-resolvable',
      comment: 'what browsers load is resolved by them; its own types check it',
      severity: 'error',
      from: { path: `^${root}/`, pathNot: `^${root}/pages/assets/` },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: fileURLToPath(new URL('./tsconfig.json', import.meta.url)) },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
