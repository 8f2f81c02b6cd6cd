import { NONCE_KEPT_MS, type SignInBook } from '../../../ledger/ports/sign-in-book.ts'

/** Nonces by when they were spent, tokens by when they would have expired. */
export type MemorySignInRows = { nonces: Map<string, number>; revoked: Map<string, number> }

export const createMemorySignInRows = (): MemorySignInRows => ({ nonces: new Map(), revoked: new Map() })

export function createMemorySignInBook({ nonces, revoked }: MemorySignInRows): SignInBook {
  return {
    async spendNonce(nonce, { nowMs, room }) {
      for (const [each, spentMs] of nonces) if (spentMs <= nowMs - NONCE_KEPT_MS) nonces.delete(each)
      if (nonces.has(nonce)) return 'used'
      if (nonces.size >= room) return 'full'
      nonces.set(nonce, nowMs)
      return 'spent'
    },
    async revokeToken(id, expiresMs, nowMs) {
      for (const [each, endMs] of revoked) if (endMs <= nowMs) revoked.delete(each)
      if (!revoked.has(id)) revoked.set(id, expiresMs)
    },
    isRevoked: async (id) => revoked.has(id),
  }
}
