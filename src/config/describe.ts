import { VARIABLES } from './variables.ts'

type Described = { name: string; default: string; about: string }

function describeVariables(): Described[] {
  return Object.entries(VARIABLES).map(([name, type]) => {
    const absent = type.safeParse(undefined)
    const fallback = absent.success && absent.data !== undefined ? absent.data : ''
    return { name, default: String(fallback), about: type.description ?? '' }
  })
}

/** Every variable with its default, all commented out: copying the file changes nothing. */
export function renderEnvExample(): string {
  const lines = describeVariables().map(
    ({ name, default: value, about }) => `# ${about}\n# ${name}=${value}\n`,
  )
  return `# Everything is optional in sandbox mode. Made by \`npm run docs\`: do not edit.\n\n${lines.join('\n')}`
}

export function renderConfigTable(): string {
  const rows = describeVariables().map(
    ({ name, default: value, about }) => `| \`${name}\` | ${value && `\`${value}\``} | ${about} |`,
  )
  return [
    '# Configuration',
    '',
    'Environment variables, read once at start. A start with bad values names all of them and exits 1; an empty value counts as absent.',
    'Made by `npm run docs`: do not edit.',
    '',
    '| variable | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
