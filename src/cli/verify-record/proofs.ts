import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Sent } from './sent.ts'

export const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const hashNode = (left: Buffer, right: Buffer) => hash(Buffer.from([1]), left, right)

/** Canonical JSON (RFC 8785): sorted names, and numbers as ECMAScript writes them. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join()}}`
}

/** A did:key is base58 of 0xed 0x01 and the 32 bytes of an Ed25519 key. `what` tells apart the things that it signs. */
export function isSigned(keyId: string, what: string, said: Sent, signature: string): boolean {
  if (!/^did:key:z[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(keyId) || typeof signature !== 'string') return false
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const value = [...keyId.replace('did:key:z', '')].reduce(
    (sum, letter) => sum * 58n + BigInt(letters.indexOf(letter)),
    0n,
  )
  if (!/^ed01[0-9a-f]{64}$/.test(value.toString(16))) return false
  const der = Buffer.from(value.toString(16).replace(/^ed01/, '302a300506032b6570032100'), 'hex')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const bytes = Buffer.from(signature, 'base64url')
  return (
    bytes.toString('base64url') === signature &&
    verify(null, Buffer.from(canonical({ ...said, what })), key, bytes)
  )
}

/** The root of a growing list of leaves (RFC 6962, section 2.1). */
export function createTree() {
  const stack: Buffer[] = []
  return {
    size: 0,
    add(leaf: Sent) {
      stack.push(hash(Buffer.from([0]), Buffer.from(canonical(leaf))))
      // A pair of equal subtrees ends here for every zero at the end of the new size in binary.
      for (let n = ++this.size; n % 2 === 0; n /= 2)
        stack.push(hashNode(...(stack.splice(-2) as [Buffer, Buffer])))
    },
    root: () =>
      (stack.length ? stack.reduceRight((right, left) => hashNode(left, right)) : hash()).toString('hex'),
  }
}
