import { type Config, understand } from './config.ts'
import { readEnvFile } from './env-file.ts'
import { type Gathered, gather, SECRET_NAMES, type Source } from './gather.ts'
import { showAddress } from './shown-address.ts'
import { VARIABLES, type Values } from './variables/variables.ts'

/** A variable as it is in effect. Its value is absent where it is secret, or set nowhere and without a default. */
export type ShownVariable = {
  name: string
  value: string | undefined
  isHidden: boolean
  source: Source | { from: 'default' } | { from: 'nowhere' }
}

export type ShownConfig = { config: Config; variables: readonly ShownVariable[] }

/** What a start in this folder, with this environment, would read. */
export const loadShownConfig = (): ShownConfig => showConfig(gather(process.env, readEnvFile()))

/** Every variable with its value and its source, and no secret. Bad values throw as they do at start. */
export function showConfig(gathered: Gathered): ShownConfig {
  const { config, values } = understand(gathered)
  const names = Object.keys(VARIABLES) as (keyof Values)[]
  return { config, variables: names.map((name) => show(name, values, gathered.sources.get(name))) }
}

function show(name: keyof Values, values: Values, source: Source | undefined): ShownVariable {
  if (source && SECRET_NAMES.includes(name)) return { name, value: undefined, isHidden: true, source }
  const value = toText(values[name], values.TOLLBOOK_MODE)
  const otherwise = { from: value === undefined ? 'nowhere' : 'default' } as const
  return { name, value, isHidden: false, source: source ?? otherwise }
}

function toText(value: unknown, mode: Values['TOLLBOOK_MODE']): string | undefined {
  const parts = Array.isArray(value) ? value : [value ?? '']
  const text = parts.map((part) => showAddress(String(part))).join(', ')
  return text === '' ? undefined : text.replaceAll('<mode>', mode)
}
