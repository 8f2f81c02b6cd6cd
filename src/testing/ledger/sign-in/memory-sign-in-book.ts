import { ServiceError } from '../../../core/service-error.ts'
import { NONCES_MAX, type NonceRow, type SignInBook } from '../../../ledger/ports/sign-in-book.ts'

/** Without a wallet: spent, and brought along by its signer. */
type Kept = Omit<NonceRow, 'wallet'> & { wallet?: string }
export type MemorySignInRows = { nonces: Map<string, Kept>; revoked: Map<string, number> }

export const createMemorySignInRows = (): MemorySignInRows => ({ nonces: new Map(), revoked: new Map() })

export function createMemorySignInBook({ nonces, revoked }: MemorySignInRows): SignInBook {
  const hasRoom = (nowMs: number) => {
    for (const { nonce, expiresMs } of nonces.values()) if (expiresMs <= nowMs) nonces.delete(nonce)
    return nonces.size < NONCES_MAX
  }
  return {
    async addNonce(row, nowMs) {
      if (!hasRoom(nowMs)) return false
      if (nonces.has(row.nonce)) throw new ServiceError('store_unavailable', 'that nonce is there already')
      nonces.set(row.nonce, { ...row })
      return true
    },
    async findNonce(nonce) {
      const { wallet, ...row } = nonces.get(nonce) ?? {}
      return wallet === undefined ? undefined : ({ ...row, wallet } as NonceRow)
    },
    async useNonce(nonce, nowMs) {
      const row = nonces.get(nonce)
      return row?.wallet !== undefined && row.expiresMs > nowMs && nonces.delete(nonce)
    },
    async spendNonce(nonce, expiresMs, nowMs) {
      const isRoom = hasRoom(nowMs)
      if (nonces.has(nonce)) return 'used'
      if (!isRoom) return 'full'
      nonces.set(nonce, { nonce, issuedMs: nowMs, expiresMs })
      return 'spent'
    },
    async revokeToken(id, expiresMs, nowMs) {
      for (const [each, endMs] of revoked) if (endMs <= nowMs) revoked.delete(each)
      if (!revoked.has(id)) revoked.set(id, expiresMs)
    },
    isRevoked: async (id) => revoked.has(id),
  }
}
