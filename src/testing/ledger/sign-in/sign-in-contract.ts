import { describe, expect, test } from 'vitest'
import type { NonceRow } from '../../../ledger/ports/sign-in-book.ts'
import type { OpenedStores } from '../opened-stores.ts'

const row = (nonce: string, given: Partial<NonceRow> = {}): NonceRow => ({
  nonce,
  wallet: '0xb2',
  issuedMs: 1_000,
  expiresMs: 2_000,
  ...given,
})

export function signInContract({ open, openTwice, restart }: OpenedStores): void {
  describe('sign-in', () => {
    test('a nonce belongs to its wallet, and works once', async () => {
      const { signIn } = await open()
      expect(await signIn.addNonce(row('a'), 1_000)).toBe(true)
      expect(await signIn.findNonce('a')).toEqual(row('a'))
      expect(await signIn.findNonce('b')).toBeUndefined()
      expect([await signIn.useNonce('a', 1_500), await signIn.useNonce('a', 1_500)]).toEqual([true, false])
      expect(await signIn.findNonce('a')).toBeUndefined()
    })

    test('the same nonce is not given out twice', async () => {
      const { signIn } = await open()
      await signIn.addNonce(row('a'), 1_000)
      await expect(signIn.addNonce(row('a', { wallet: '0xc3' }), 1_000)).rejects.toMatchObject({
        code: 'store_unavailable',
      })
      expect(await signIn.findNonce('a')).toEqual(row('a'))
    })

    test('an expired nonce works no more, and the next one removes it', async () => {
      const { signIn } = await open()
      await signIn.addNonce(row('a'), 1_000)
      expect(await signIn.useNonce('a', 2_000)).toBe(false)
      await signIn.addNonce(row('b', { expiresMs: 9_000 }), 2_000)
      expect([await signIn.findNonce('a'), (await signIn.findNonce('b'))?.nonce]).toEqual([undefined, 'b'])
    })

    test('of many processes and calls exactly one uses a nonce', async () => {
      const [first, second] = await openTwice()
      await first.signIn.addNonce(row('a'), 1_000)
      const books = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? first : second).signIn)
      const used = await Promise.all(books.map((book) => book.useNonce('a', 1_500)))
      expect(used.filter(Boolean)).toHaveLength(1)
    })

    test('a nonce that was brought along is spent once, and is no challenge', async () => {
      const [first, second] = await openTwice()
      const books = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? first : second).signIn)
      const spent = await Promise.all(books.map((book) => book.spendNonce('own', 2_000, 1_000)))
      expect(spent.filter((each) => each === 'spent')).toHaveLength(1)
      expect(spent.filter((each) => each === 'used')).toHaveLength(19)
      expect(await first.signIn.findNonce('own')).toBeUndefined()
      expect(await first.signIn.useNonce('own', 1_500)).toBe(false)
      expect(await first.signIn.spendNonce('own', 9_000, 2_000)).toBe('spent')
    })

    test('a token stays revoked until it would have expired, also over a restart', async () => {
      const { store, restarted } = await restart()
      await store.signIn.addNonce(row('a', { expiresMs: 9_000 }), 1_000)
      await store.signIn.revokeToken('t', 5_000, 1_000)
      await store.signIn.revokeToken('t', 5_000, 1_000)
      const { signIn } = await restarted()
      expect([await signIn.isRevoked('t'), await signIn.isRevoked('u')]).toEqual([true, false])
      expect(await signIn.useNonce('a', 1_500)).toBe(true)
      await signIn.revokeToken('u', 9_000, 5_000)
      expect([await signIn.isRevoked('t'), await signIn.isRevoked('u')]).toEqual([false, true])
    })
  })
}
