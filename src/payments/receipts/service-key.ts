import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from '../../core/private-file.ts'
import { didKeyOf } from '../../core/signing/ed25519.ts'

/** Signs what we offer and what we delivered. */
export type ServiceKey = {
  /** A did:key: it contains the public key, so a receipt can be checked without asking us. */
  id: string
  sign(text: string): Buffer
}

const FILE = 'service-key.json'
const StoredKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
})

/** Created at the first start and kept, so that all receipts of a service name one key. */
export function openServiceKey(dataDir: string): ServiceKey {
  const file = join(dataDir, FILE)
  const stored = existsSync(file) ? readKey(file) : makeKey(file)
  const key = createPrivateKey({ key: stored, format: 'jwk' })
  return {
    id: didKeyOf(key),
    sign: (text) => sign(null, Buffer.from(text), key),
  }
}

/** A damaged key is never replaced silently: receipts that customers hold would seem to come from somebody else. */
function readKey(file: string): z.infer<typeof StoredKey> {
  try {
    return StoredKey.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new Error(`${file} is damaged: restore it, or remove it to sign with a new key`, { cause })
  }
}

function makeKey(file: string): z.infer<typeof StoredKey> {
  const stored = StoredKey.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))
  writePrivateFile(file, JSON.stringify(stored))
  return stored
}
