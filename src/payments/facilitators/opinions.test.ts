import { expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../sandbox/facilitator/faults.ts'
import { openPoolWorld, signNext } from '../../testing/payments/pool-world.ts'

const says = (reason: string): Fault => ({ kind: 'refuse', reason })

/** Facilitators a and b, where the first says at /verify what `words` are; what the second says is up to the test. */
async function openWorld(words: string, otherWords?: string) {
  const world = await openPoolWorld()
  onTestFinished(world.close)
  const asked: string[] = []
  for (const [index, member] of world.members.entries()) {
    const said = [words, otherWords][index]
    member.tamper = ({ path }) => {
      if (path !== '/verify') return undefined
      asked.push('ab'[index] ?? '?')
      return said === undefined ? undefined : says(said)
    }
  }
  return { ...world, asked }
}

test.each([
  ['no reason that we know', 'invalid_payload'],
  ['a failed simulation', 'invalid_exact_evm_transaction_simulation_failed'],
  ['a signature that we checked', 'invalid_exact_evm_signature'],
  ['an amount that we checked', 'invalid_exact_evm_payload_authorization_value_mismatch'],
  ['a recipient that we checked', 'invalid_exact_evm_recipient_mismatch'],
  ['an end that is far', 'invalid_exact_evm_payload_authorization_valid_before'],
  ['a use that others do not see', 'invalid_exact_evm_nonce_already_used'],
])('one facilitator finds %s: another one is asked, and sells', async (_, words) => {
  const { asked, members, buy } = await openWorld(words)
  expect(await buy(await signNext())).toEqual({ ended: 'sold' })
  expect(asked).toEqual(['a', 'b'])
  expect(members.flatMap(({ settled }) => settled)).toHaveLength(1)
})

test('what all of them refuse is refused, and each is asked once', async () => {
  const { asked, rows, members, buy } = await openWorld('invalid_payload', 'odd')
  expect(await buy(await signNext())).toEqual({ ended: 'payment_refused' })
  expect([asked, rows.size]).toEqual([['a', 'b'], 0])
  expect(members.flatMap(({ settled }) => settled)).toEqual([])
})

test('the buyer hears the reason that tells most', async () => {
  const { buy } = await openWorld('invalid_payload', 'invalid_exact_evm_insufficient_balance')
  expect(await buy(await signNext())).toEqual({ ended: 'insufficient_funds' })
})

test('an empty wallet is refused at once where the chain shows it', async () => {
  const { asked, funds, buy } = await openWorld('insufficient_funds')
  funds.has = false
  expect(await buy(await signNext())).toEqual({ ended: 'insufficient_funds' })
  expect([asked, funds.asked.length]).toEqual([['a'], 1])
})

test.each([true, undefined])('an empty wallet is an opinion where the chain says %s', async (has) => {
  const { asked, funds, buy } = await openWorld('insufficient_funds')
  funds.has = has
  expect(await buy(await signNext())).toEqual({ ended: 'sold' })
  expect(asked).toEqual(['a', 'b'])
})

test('a payment that expires now is refused at once', async () => {
  const { clock, asked, buy } = await openWorld('invalid_exact_evm_payload_authorization_valid_before')
  const payment = await signNext()
  clock.advance(291_000)
  expect(await buy(payment)).toEqual({ ended: 'expired' })
  expect(asked).toEqual(['a'])
})

test('a payment that the token calls used is left to the chain, whatever a facilitator says, and costs nobody anything', async () => {
  const { nonces, rows, members, buy } = await openWorld('invalid_payload')
  nonces.areUsed = true
  expect(await buy(await signNext())).toMatchObject({ ended: 'payment_pending' })
  expect([rows.size, members.flatMap(({ settled }) => settled)]).toEqual([0, []])
  nonces.areUsed = false
  expect(await buy(await signNext())).toEqual({ ended: 'sold' })
})

test('a payment that all call used is left to the chain', async () => {
  const { asked, buy } = await openWorld('nonce_already_used', 'nonce_already_used')
  expect(await buy(await signNext())).toMatchObject({ ended: 'payment_pending' })
  expect(asked).toEqual(['a', 'b'])
})

test.each([
  'invalid_exact_evm_transaction_simulation_failed',
  'invalid_exact_evm_payload_authorization_from_address_kyt',
  'invalid_exact_evm_payload_authorization_to_address_kyt',
])('%s: what the token says is final, and nobody else is asked', async (words) => {
  const { asked, token, rows, buy } = await openWorld(words)
  token.says = { kind: 'closed', why: 'USDC is paused there' }
  expect(await buy(await signNext())).toEqual({ ended: 'payments_unavailable', retryAfterS: 60 })
  token.says = { kind: 'invalid', reason: 'payer_blocked' }
  expect(await buy(await signNext())).toEqual({ ended: 'payer_blocked' })
  expect([asked, token.asked.length, rows.size]).toEqual([['a', 'a'], 2, 0])
})

test('the token is asked once for a payment, and not about what it cannot know', async () => {
  const { token, buy } = await openWorld('invalid_payload', 'odd')
  expect(await buy(await signNext())).toEqual({ ended: 'payment_refused' })
  expect(token.asked).toHaveLength(1)
  const other = await openWorld('invalid_exact_evm_signature', 'invalid_exact_evm_signature')
  expect(await other.buy(await signNext())).toEqual({ ended: 'invalid_signature' })
  expect(other.token.asked).toEqual([])
})

test.each([
  ['to_address_kyt', undefined, 'sold'],
  ['to_address_kyt', 'receiver_ata_not_found', 'payments_unavailable'],
  ['to_address_kyt', 'insufficient_funds', 'insufficient_funds'],
  ['from_address_kyt', 'from_address_kyt', 'payer_blocked'],
])('the first says %s and the second %s: %s', async (words, otherWords, ended) => {
  const { buy } = await openWorld(words, otherWords)
  expect(await buy(await signNext())).toMatchObject({ ended })
})

test('a payment that was not settled makes us look at the token', async () => {
  const { members, token, buy } = await openWorld('odd')
  for (const member of members)
    member.tamper = ({ path }) => (path === '/settle' ? says('insufficient_funds') : undefined)
  expect(await buy(await signNext())).toMatchObject({ ended: 'payment_pending' })
  expect(token.looks).toBe(1)
})
