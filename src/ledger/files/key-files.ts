import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** File name to content. */
export type KeyFiles = ReadonlyMap<string, string>

/** `service-key.json`, its successor during a change, `sandbox-keys.json` and the like; not what was set aside. */
const KEY_FILE = /^[a-z0-9.-]*\bkeys?\b[a-z0-9.-]*\.json(\.next)?$/
const MAX_BYTES = 65_536

export const isKeyFile = (name: string): boolean => KEY_FILE.test(name)

/** The keys of a data directory: without them the ledger cannot go on under the same names. */
export function readKeyFiles(dataDir: string): KeyFiles {
  if (!existsSync(dataDir)) return new Map()
  const names = readdirSync(dataDir).filter(isKeyFile).sort()
  return new Map(names.map((name) => [name, readKeyFile(join(dataDir, name))]))
}

function readKeyFile(file: string): string {
  if (statSync(file).size > MAX_BYTES)
    throw new Error(`${file} is larger than a key can be (${MAX_BYTES} bytes): move it away`)
  return readFileSync(file, 'utf8')
}
