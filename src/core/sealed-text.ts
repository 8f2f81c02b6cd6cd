import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import type { Secret } from './secret.ts'

/** A text that only a passphrase opens, and that nobody can change unnoticed. */
export type SealedText = { salt: Uint8Array; nonce: Uint8Array; tag: Uint8Array; content: Uint8Array }

const CIPHER = 'aes-256-gcm'
const [SALT_BYTES, NONCE_BYTES, KEY_BYTES] = [16, 12, 32]
/** About half a second and 128 MiB for each guess. */
const SCRYPT = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 }

/** `about` is not hidden, but the text opens only with the same one. */
export function sealText(text: string, passphrase: Secret, about: string): SealedText {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]
  const cipher = createCipheriv(CIPHER, keyOf(passphrase, salt), nonce).setAAD(Buffer.from(about))
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return { salt, nonce, tag: cipher.getAuthTag(), content }
}

/** Undefined where the passphrase is wrong or anything was changed. */
export function openSealedText(sealed: SealedText, passphrase: Secret, about: string): string | undefined {
  const { salt, nonce, tag, content } = sealed
  const decipher = createDecipheriv(CIPHER, keyOf(passphrase, salt), nonce, { authTagLength: 16 })
    .setAAD(Buffer.from(about))
    .setAuthTag(tag)
  const text = decipher.update(content)
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const keyOf = (passphrase: Secret, salt: Uint8Array) =>
  scryptSync(passphrase.reveal().normalize('NFKC'), salt, KEY_BYTES, SCRYPT)
