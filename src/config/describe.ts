import { fileNameOf } from './gather.ts'
import { MODES, type Mode, type Variable } from './variables/variable.ts'
import { VARIABLES } from './variables/variables.ts'

type Described = { name: string; default: string; about: string }

function describeVariables(): Described[] {
  return Object.entries<Variable>(VARIABLES).map(([name, variable]) => ({
    name,
    default: String(variable.type.safeParse(undefined).data ?? ''),
    about: [variable.about, ...describeRules(name, variable)].join('. '),
  }))
}

function describeRules(
  name: string,
  { requiredIn, refusedIn, ignoredIn, pairedWith, loopbackOnlyIn, isSecret }: Variable,
) {
  const inModes = (modes: readonly Mode[]) => `in ${modes.join(' and ')} mode`
  const refusing = MODES.filter((mode) => refusedIn?.[mode] !== undefined)
  const ignoring = MODES.filter((mode) => ignoredIn?.[mode] !== undefined)
  const others = pairedWith?.filter((other) => other !== name) ?? []
  return [
    requiredIn && `Required ${inModes(requiredIn)}`,
    refusing.length > 0 && `Refused ${inModes(refusing)}`,
    ignoring.length > 0 && `Ignored ${inModes(ignoring)}`,
    loopbackOnlyIn && `Only an address of this machine ${inModes(loopbackOnlyIn)}`,
    others.length > 0 && `Needs ${others.join(' and ')}`,
    isSecret && `Secret: ${fileNameOf(name)} may name a file that holds it`,
  ].filter((rule) => typeof rule === 'string')
}

/** Every variable with its default, all commented out: copying the file changes nothing. */
export function renderEnvExample(): string {
  const lines = describeVariables().map(
    ({ name, default: value, about }) => `# ${about}\n# ${name}=${value}\n`,
  )
  const head = [
    '# Copy this file to .env, beside it, and remove the # before what you set. Every command reads .env of the folder',
    '# that it is started in; a variable of the environment wins over it. It may hold secrets: chmod 600 .env',
    '# A secret may also stand in a file of its own, which NAME_FILE names in place of NAME.',
    '# Everything is optional in sandbox mode. Made by `npm run docs`: do not edit.',
  ]
  return `${head.join('\n')}\n\n${lines.join('\n')}`
}

export function renderConfigTable(): string {
  const rows = describeVariables().map(
    ({ name, default: value, about }) => `| \`${name}\` | ${value && `\`${value}\``} | ${about} |`,
  )
  return [
    '# Configuration',
    '',
    "Environment variables, read once at start, and the file `.env` of the folder that a command is started in (the form is Node's; `.env.example` is a copy to begin with).",
    'The environment wins over the file. A start with bad values names all of them and exits 1; an empty value counts as absent.',
    'A secret may stand in a file of its own: set `<NAME>_FILE` to its path in place of `<NAME>`. The file holds the value as UTF-8 text, at most 16 KiB; line ends at its end are no part of it. Both set, or a file that is empty, not text or cannot be read: a bad value. `./tollbook config` prints what is in effect, without secrets.',
    'Made by `npm run docs`: do not edit.',
    '',
    '| variable | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
