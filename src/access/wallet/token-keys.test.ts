import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { isKeyFile } from '../../ledger/files/key-files.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import {
  FORMER_MAX,
  openTokenKeys,
  ROTATE_AFTER_MS,
  replaceTokenKeys,
  rotateTokenKeys,
} from './token-keys.ts'
import { TOKEN_LIFE_MS } from './token-life.ts'

const FILE = 'token-keys.json'
const kids = (keys: ReturnType<typeof openTokenKeys>) => keys.published().map(({ kid }) => kid)

function world() {
  const clock = createManualClock(Date.parse('2026-01-05T12:00:00Z'))
  const dataDir = temporaryDir()
  return { clock, dataDir, open: () => openTokenKeys(dataDir, clock) }
}

test('the first start makes two keys, for their owner only, in a file that backups take along', () => {
  const { dataDir, open } = world()
  const keys = open()
  expect(kids(keys)).toEqual([keys.signer().kid, expect.any(String)])
  expect(new Set(kids(keys)).size).toBe(2)
  expect(statSync(join(dataDir, FILE)).mode & 0o777).toBe(0o600)
  expect(isKeyFile(FILE)).toBe(true)
  expect(JSON.stringify(keys.published())).not.toContain('"d"')
})

test('a restart keeps the keys', () => {
  const { open } = world()
  expect(kids(open())).toEqual(kids(open()))
})

test('after thirty days the next key signs, the old one opens for an hour more, and then is gone', () => {
  const { clock, open } = world()
  const keys = open()
  const [first, second] = kids(keys)
  clock.advance(ROTATE_AFTER_MS - 1)
  expect(keys.signer().kid).toBe(first)
  clock.advance(1)
  expect(keys.signer().kid).toBe(second)
  expect(kids(keys)).toEqual([second, expect.any(String), first])
  expect(keys.find(first as string)).toBeDefined()
  clock.advance(TOKEN_LIFE_MS)
  expect(keys.find(first as string)).toBeUndefined()
  expect(kids(keys)).toEqual([second, expect.any(String)])
  expect(kids(open())).toEqual(kids(keys))
})

test('a rotation by the command line reaches the running service within a second', () => {
  const { clock, dataDir, open } = world()
  const keys = open()
  const [first, second] = kids(keys)
  rotateTokenKeys(dataDir, clock.now())
  clock.advance(1_000)
  expect(keys.signer().kid).toBe(second)
  expect(keys.find(first as string)).toBeDefined()
  replaceTokenKeys(dataDir, clock.now())
  clock.advance(1_000)
  expect([first, second].map((kid) => keys.find(kid as string))).toEqual([undefined, undefined])
})

test('every key that was rotated away opens for its own hour, however often the next one took over', () => {
  const { clock, dataDir, open } = world()
  const keys = open()
  const [first] = kids(keys) as [string]
  rotateTokenKeys(dataDir, clock.now())
  clock.advance(TOKEN_LIFE_MS / 2)
  const [second] = kids(keys) as [string]
  rotateTokenKeys(dataDir, clock.now())
  clock.advance(TOKEN_LIFE_MS / 2 - 1)
  expect(kids(keys)).toEqual([expect.any(String), expect.any(String), second, first])
  expect([first, second].map((kid) => keys.find(kid) !== undefined)).toEqual([true, true])
  clock.advance(1)
  expect([first, second].map((kid) => keys.find(kid) !== undefined)).toEqual([false, true])
  clock.advance(TOKEN_LIFE_MS / 2)
  expect(kids(keys)).toHaveLength(2)
})

test('no rotation puts an end to tokens: beyond so many in an hour it is refused', () => {
  const { clock, dataDir, open } = world()
  const keys = open()
  const [first] = kids(keys) as [string]
  for (let n = 0; n < FORMER_MAX; n++) rotateTokenKeys(dataDir, clock.now())
  expect(() => rotateTokenKeys(dataDir, clock.now())).toThrow(
    /rotate again after 2026-01-05T13:00:00.000Z, or .*--leaked/,
  )
  clock.advance(TOKEN_LIFE_MS - 1)
  expect(keys.find(first)).toBeDefined()
  clock.advance(1)
  rotateTokenKeys(dataDir, clock.now())
})

test('a damaged file is named, and nothing is put in its place', () => {
  const { dataDir, open } = world()
  open()
  writeFileSync(join(dataDir, FILE), '{"present":{}}')
  expect(open).toThrow(/token-keys.json is damaged/)
  expect(readFileSync(join(dataDir, FILE), 'utf8')).toBe('{"present":{}}')
})
