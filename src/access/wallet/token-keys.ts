import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from '../../core/private-file.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, SECOND_MS } from '../../core/time/time.ts'
import { TOKEN_LIFE_MS } from './token-life.ts'

/** Named so that backups take it along. */
const FILE = 'token-keys.json'
/** So long one key signs. */
export const ROTATE_AFTER_MS = 30 * DAY_MS
/** The command line rotates from another process: so long the service may not have noticed. */
const REREAD_AFTER_MS = SECOND_MS
const ID_BYTES = 12
/** Rotated by hand more often than this within an hour: the next one has to wait. */
export const FORMER_MAX = 20
const MAC_KEY_BYTES = 32

const StoredKey = z.object({
  kid: z.string().min(1),
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
})
type StoredKey = z.infer<typeof StoredKey>
const StoredKeys = z.object({
  present: StoredKey.extend({ since_ms: z.number() }),
  next: StoredKey,
  /** They no longer sign, the latest first; each opens until the last token of it has expired. */
  former: z.array(StoredKey.extend({ until_ms: z.number() })),
})
type StoredKeys = z.infer<typeof StoredKeys>

export type PublicKey = Pick<StoredKey, 'kid' | 'kty' | 'crv' | 'x'>
export type TokenKeys = {
  signer(): { kid: string; key: KeyObject }
  find(kid: string): KeyObject | undefined
  /** The key that signs and the one after it; for an hour after each rotation also the one before. */
  published(): readonly PublicKey[]
  /** Secrets for the nonces of challenges, that of the key that signs first. They come and go with the keys. */
  nonceSecrets(): readonly [Buffer, ...Buffer[]]
}

/** Made at the first start and kept. After thirty days the next key takes over by itself. */
export function openTokenKeys(dataDir: string, clock: Clock, { mayMake = true } = {}): TokenKeys {
  const open = (nowMs: number) => (mayMake ? openKeys(dataDir, nowMs) : readMade(dataDir))
  let known = { keys: open(clock.now()), readMs: clock.now() }
  const current = (): StoredKeys => {
    const nowMs = clock.now()
    // Also where the clock was set back.
    if (Math.abs(nowMs - known.readMs) >= REREAD_AFTER_MS) known = { keys: open(nowMs), readMs: nowMs }
    const { keys } = known
    if (!mayMake || nowMs - keys.present.since_ms < ROTATE_AFTER_MS) return keys
    known = { keys: rotateTokenKeys(dataDir, nowMs), readMs: nowMs }
    return known.keys
  }
  const working = (): [StoredKey, ...StoredKey[]] => {
    const { present, next, former } = current()
    return [present, next, ...former.filter(({ until_ms }) => clock.now() < until_ms)]
  }
  return {
    signer() {
      const { present } = current()
      return { kid: present.kid, key: privateKeyOf(present) }
    },
    find(kid) {
      const key = working().find((each) => each.kid === kid)
      return key && createPublicKey(privateKeyOf(key))
    },
    published: () => working().map(({ kid, kty, crv, x }) => ({ kid, kty, crv, x })),
    nonceSecrets() {
      const [present, ...others] = working()
      return [nonceSecretOf(present), ...others.map(nonceSecretOf)]
    },
  }
}

/** The next key signs from now on. Tokens of the present one stay good for as long as they last. */
export function rotateTokenKeys(dataDir: string, nowMs: number): StoredKeys {
  const { present, next, former } = openKeys(dataDir, nowMs)
  const living = former.filter(({ until_ms }) => nowMs < until_ms)
  const oldest = living.at(-1)
  if (oldest && living.length >= FORMER_MAX)
    throw new Error(
      `${living.length} former keys still have tokens: rotate again after ${new Date(oldest.until_ms).toISOString()}, or end all tokens with --leaked`,
    )
  const { since_ms: _, ...last } = present
  return save(dataDir, {
    present: { ...next, since_ms: nowMs },
    next: makeKey(),
    former: [{ ...last, until_ms: nowMs + TOKEN_LIFE_MS }, ...living],
  })
}

/** For keys that somebody else may have seen: no token that was given out opens anything any more. */
export function replaceTokenKeys(dataDir: string, nowMs: number): StoredKeys {
  return save(dataDir, { present: { ...makeKey(), since_ms: nowMs }, next: makeKey(), former: [] })
}

/** Of a process that leaves making and rotating them to another one. */
function readMade(dataDir: string): StoredKeys {
  const keys = readTokenKeys(dataDir)
  if (keys) return keys
  throw new Error(
    `there is no ${join(dataDir, FILE)}: start an engine in this directory first, or copy the file from one that has it`,
  )
}

const openKeys = (dataDir: string, nowMs: number): StoredKeys =>
  readTokenKeys(dataDir) ?? replaceTokenKeys(dataDir, nowMs)

/** Undefined where there are none yet; throws where they are damaged. Writes nothing. */
export function readTokenKeys(dataDir: string): StoredKeys | undefined {
  const file = join(dataDir, FILE)
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  try {
    const keys = StoredKeys.parse(JSON.parse(text))
    // A key that cannot sign is found now, and not by the first wallet.
    for (const key of [keys.present, keys.next, ...keys.former]) privateKeyOf(key)
    return keys
  } catch {
    throw new Error(
      `${file} is damaged: put it back from a backup, or remove it; wallets then have to sign in again`,
    )
  }
}

function save(dataDir: string, keys: StoredKeys): StoredKeys {
  writePrivateFile(join(dataDir, FILE), JSON.stringify(keys))
  return keys
}

const makeKey = (): StoredKey =>
  StoredKey.parse({
    ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
    kid: randomBytes(ID_BYTES).toString('base64url'),
  })

const privateKeyOf = ({ kty, crv, x, d }: StoredKey): KeyObject =>
  createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })

/** Of its own use, so that what is made with it can never pass for a token. */
const nonceSecretOf = ({ d }: StoredKey): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'nonces of challenges', MAC_KEY_BYTES))
