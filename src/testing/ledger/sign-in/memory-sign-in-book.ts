import { NONCE_KEPT_MS, type SignInBook } from '../../../ledger/ports/sign-in-book.ts'

/** Nonces by when they were spent, tokens by when they would have expired. */
export type MemorySignInRows = {
  nonces: Map<string, number>
  revoked: Map<string, number>
  wallets: { wallet: string; beforeMs: number; expiresMs: number }[]
}

export const createMemorySignInRows = (): MemorySignInRows => ({
  nonces: new Map(),
  revoked: new Map(),
  wallets: [],
})

export function createMemorySignInBook({ nonces, revoked, wallets }: MemorySignInRows): SignInBook {
  const forget = (nowMs: number) => {
    for (const [each, endMs] of revoked) if (endMs <= nowMs) revoked.delete(each)
    wallets.splice(0, wallets.length, ...wallets.filter(({ expiresMs }) => expiresMs > nowMs))
  }
  return {
    async spendNonce(nonce, { nowMs, room }) {
      for (const [each, spentMs] of nonces) if (spentMs <= nowMs - NONCE_KEPT_MS) nonces.delete(each)
      if (nonces.has(nonce)) return 'used'
      if (nonces.size >= room) return 'full'
      nonces.set(nonce, nowMs)
      return 'spent'
    },
    async revokeToken(id, expiresMs, nowMs) {
      forget(nowMs)
      if (!revoked.has(id)) revoked.set(id, expiresMs)
    },
    async revokeWallet(wallet, expiresMs, nowMs) {
      forget(nowMs)
      wallets.push({ wallet, beforeMs: nowMs, expiresMs })
    },
    isRevoked: async ({ id, wallet, issuedMs }) =>
      revoked.has(id) || wallets.some((each) => each.wallet === wallet && each.beforeMs >= issuedMs),
  }
}
