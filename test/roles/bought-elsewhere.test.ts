import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSandboxWallet } from '../../src/cli/buying/sandbox-wallet.ts'
import { isRedisMissing } from '../../src/testing/access/redis-server.ts'
import { isServerMissing } from '../../src/testing/ledger/postgres-server.ts'
import { createCounter, homeOf } from '../buying/counter.ts'
import { readRequired } from '../buying/terms.ts'
import { type SignedPayment, walletOf } from '../buying/wallet.ts'
import { untilWhole } from '../fleet/faults.ts'
import { type Fleet, startFleet } from '../fleet/fleet.ts'
import type { Member } from '../fleet/member.ts'

const PATH = '/price/BTC'

describe.skipIf(isServerMissing || isRedisMissing)('what was bought at one of two apis', () => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await startFleet({ engines: 1, apis: 2 })
    await untilWhole(fleet)
  }, 240_000)
  afterAll(async () => {
    await fleet?.end()
    if (fleet) rmSync(fleet.dir, { recursive: true, force: true })
  })

  test('is handed to a reader of the chain by none, and by every one to its buyer', {
    timeout: 120_000,
  }, async () => {
    const [here, there] = fleet.apis as [Member, Member]
    const counter = createCounter({ baseUrl: () => here.url })
    const { wallet } = await openSandboxWallet(here.url, 'base')
    const required = await readRequired(counter, PATH)
    const payment = required && (await walletOf('base', wallet).sign(required))
    if (!payment) throw new Error('it cannot be paid')
    const statusOf = async (at: Member, { from }: { from?: string } = {}) => {
      const answer = await counter.present(PATH, payment as SignedPayment, {
        at: at.url,
        ...(from !== undefined && { from }),
      })
      return [answer?.status, answer?.reason]
    }
    const buyer = { from: homeOf(payment) }
    const refused = [409, 'payment_already_used']
    expect(await statusOf(here, buyer)).toEqual([200, undefined])
    for (const at of [there, here, there]) expect(await statusOf(at)).toEqual(refused)
    for (const at of [there, here]) expect(await statusOf(at, buyer)).toEqual([200, undefined])
    await there.restart()
    await fleet.untilReady()
    expect(await statusOf(there)).toEqual(refused)
    expect(await statusOf(there, buyer)).toEqual([200, undefined])
  })
})
