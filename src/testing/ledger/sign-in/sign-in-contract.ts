import { describe, expect, test } from 'vitest'
import { NONCE_KEPT_MS } from '../../../ledger/ports/sign-in-book.ts'
import type { OpenedStores } from '../opened-stores.ts'

const at = (nowMs: number, room = 100) => ({ nowMs, room })
const token = (id: string, wallet = '0xa', issuedMs = 1_000) => ({ id, wallet, issuedMs })

export function signInContract({ open, openTwice, restart }: OpenedStores): void {
  describe('sign-in', () => {
    test('of many processes and calls exactly one spends a nonce', async () => {
      const [first, second] = await openTwice()
      const books = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? first : second).signIn)
      const spent = await Promise.all(books.map((book) => book.spendNonce('a', at(1_000))))
      expect(spent.filter((each) => each === 'spent')).toHaveLength(1)
      expect(spent.filter((each) => each === 'used')).toHaveLength(19)
      expect(await first.signIn.spendNonce('b', at(1_000))).toBe('spent')
    })

    test('a spent nonce is kept for its time, also over a restart, and then forgotten', async () => {
      const { store, restarted } = await restart()
      await store.signIn.spendNonce('a', at(1_000))
      const { signIn } = await restarted()
      expect(await signIn.spendNonce('a', at(1_000 + NONCE_KEPT_MS - 1))).toBe('used')
      expect(await signIn.spendNonce('a', at(1_000 + NONCE_KEPT_MS))).toBe('spent')
    })

    test('there is room for so many and no more, until the oldest are forgotten', async () => {
      const { signIn } = await open()
      expect(await signIn.spendNonce('a', at(1_000, 2))).toBe('spent')
      expect(await signIn.spendNonce('b', at(2_000, 2))).toBe('spent')
      expect(await signIn.spendNonce('c', at(3_000, 2))).toBe('full')
      expect(await signIn.spendNonce('b', at(3_000, 2))).toBe('used')
      expect(await signIn.spendNonce('c', at(3_000, 3))).toBe('spent')
      expect(await signIn.spendNonce('d', at(1_000 + NONCE_KEPT_MS, 3))).toBe('spent')
    })

    test('a token stays revoked until it would have expired, also over a restart', async () => {
      const { store, restarted } = await restart()
      await store.signIn.revokeToken('t', 5_000, 1_000)
      await store.signIn.revokeToken('t', 5_000, 1_000)
      const { signIn } = await restarted()
      expect([await signIn.isRevoked(token('t')), await signIn.isRevoked(token('u'))]).toEqual([true, false])
      await signIn.revokeToken('u', 9_000, 5_000)
      expect([await signIn.isRevoked(token('t')), await signIn.isRevoked(token('u'))]).toEqual([false, true])
    })

    test('all tokens of a wallet end that it got until then, also over a restart, until they would have expired', async () => {
      const { store, restarted } = await restart()
      await store.signIn.revokeWallet('0xa', 5_000, 1_000)
      await store.signIn.revokeWallet('0xa', 5_000, 1_000)
      const { signIn } = await restarted()
      expect(await signIn.isRevoked(token('t', '0xa', 1_000))).toBe(true)
      expect(await signIn.isRevoked(token('t', '0xa', 1_001))).toBe(false)
      expect(await signIn.isRevoked(token('t', '0xb', 1_000))).toBe(false)
      await signIn.revokeWallet('0xa', 6_000, 2_000)
      expect(await signIn.isRevoked(token('t', '0xa', 2_000))).toBe(true)
      await signIn.revokeWallet('0xb', 9_000, 6_000)
      expect(await signIn.isRevoked(token('t', '0xa', 1_000))).toBe(false)
    })
  })
}
