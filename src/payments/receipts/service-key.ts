import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { flush, flushDirectory } from '../../core/flush.ts'
import { writePrivateFile } from '../../core/private-file.ts'
import { didKeyOf } from '../../core/signing/ed25519.ts'
import type { Signer } from '../../ledger/files/find-signer.ts'

/** Signs what we offer, what we delivered and the record. */
export type ServiceKey = {
  /** A did:key: it contains the public key, so a receipt can be checked without asking us. */
  id: string
  sign(text: string): Buffer
  /** The same signature, made by another thread. */
  signAside(text: string): Promise<Buffer>
}

const FILE = 'service-key.json'
/** The key of a change that is under way: it counts once the record names it. */
const NEXT = `${FILE}.next`
const FORMER = '.former-'
const StoredKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
})

/**
 * Created at the first start and kept. Where something was signed, only the key that signed it will do: a fresh one
 * would make what customers hold seem to come from somebody else.
 */
export function openServiceKey(dataDir: string, signer?: Signer, nowMs = 0): ServiceKey {
  if (!signer && !existsSync(join(dataDir, FILE))) return makeKey(join(dataDir, FILE))
  finishKeyChange(dataDir, signer, nowMs)
  const found = readServiceKey(dataDir)
  if ('fault' in found || (signer && signer.keyId !== found.id))
    throw new Error(refusal(dataDir, found, signer))
  return found
}

export type KeyFault = { fault: 'is missing' | 'is damaged' }

/** The key in force, or the one of a change that is under way. */
export function readServiceKey(
  dataDir: string,
  which: 'present' | 'next' = 'present',
): ServiceKey | KeyFault {
  return readKey(join(dataDir, which === 'next' ? NEXT : FILE))
}

/** The key that will sign once the record names it; a crash before that leaves the present one in force. */
export function makeNextKey(dataDir: string): ServiceKey {
  const next = makeKey(join(dataDir, NEXT))
  flushDirectory(dataDir)
  return next
}

/**
 * Puts the next key in its place once the record was signed with it, also after a crash between the two. The file that
 * was there is kept aside. Returns its name, or null where there was none; undefined where nothing was under way.
 */
export function finishKeyChange(
  dataDir: string,
  signer: Signer | undefined,
  nowMs: number,
): string | null | undefined {
  const [file, next] = [join(dataDir, FILE), join(dataDir, NEXT)]
  const key = readKey(next)
  if ('fault' in key || key.id !== signer?.keyId) return undefined
  const aside = existsSync(file)
    ? `${file}${FORMER}${new Date(nowMs).toISOString().replaceAll(':', '-')}`
    : null
  // The file is there at any time: another process may do the same at once, and the second of them finds it done.
  if (aside) {
    copyFileSync(file, aside)
    flush(aside)
  }
  try {
    renameSync(next, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
  flushDirectory(dataDir)
  return aside
}

/** What is wrong with the key file, what it costs and what to do. */
function refusal(dataDir: string, found: ServiceKey | KeyFault, signer: Signer | undefined): string {
  const file = join(dataDir, FILE)
  const fault = 'fault' in found ? found.fault : `holds another key, ${found.id}`
  if (!signer)
    return `${file} ${fault}: put it back from a backup, or remove it to start with a new key; no record and no receipt was signed with it yet`
  return [
    `${file} ${fault}, and ${signer.signed} was signed with ${signer.keyId}. Nothing was changed. Either`,
    ...keptAside(dataDir, signer.keyId).map(
      (name) => `  put back the key that is in ${name}, kept when it was replaced, or`,
    ),
    signer.isShared
      ? `  copy ${FILE} from the data directory of another process of this service, or from your copy of it, or`
      : '  put the key back from a backup: ./tollbook restore <backup> --keys-only --force, or',
    '  if it is lost for good, go on with a new one: ./tollbook rotate-key --lost. The record then says that its key was',
    "  replaced without the old key's word, and so does everybody's verify-record; receipts stay valid.",
  ].join('\n')
}

const keptAside = (dataDir: string, id: string): readonly string[] =>
  readdirSync(dataDir).filter((name) => {
    const key = name.startsWith(`${FILE}${FORMER}`) && readKey(join(dataDir, name))
    return key && 'id' in key && key.id === id
  })

function readKey(file: string): ServiceKey | KeyFault {
  if (!existsSync(file)) return { fault: 'is missing' }
  // What may not be read is no damage: that error says so itself.
  const text = readFileSync(file, 'utf8')
  try {
    return toServiceKey(StoredKey.parse(JSON.parse(text)))
  } catch {
    return { fault: 'is damaged' }
  }
}

function makeKey(file: string): ServiceKey {
  const stored = StoredKey.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))
  writePrivateFile(file, JSON.stringify(stored))
  return toServiceKey(stored)
}

function toServiceKey(stored: z.infer<typeof StoredKey>): ServiceKey {
  const key = createPrivateKey({ key: stored, format: 'jwk' })
  return {
    id: didKeyOf(key),
    sign: (text) => sign(null, Buffer.from(text), key),
    signAside: (text) =>
      new Promise((resolve, reject) => {
        sign(null, Buffer.from(text), key, (error, signature) => (error ? reject(error) : resolve(signature)))
      }),
  }
}
