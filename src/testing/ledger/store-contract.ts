import { afterEach, describe, expect, test } from 'vitest'
import type { Store } from '../../ledger/ports/store.ts'
import { controlContract } from './bot/control-contract.ts'
import { fillContract } from './bot/fill-contract.ts'
import { orderContract } from './bot/order-contract.ts'
import { orderListContract } from './bot/order-list-contract.ts'
import { paperContract } from './bot/paper-contract.ts'
import { redemptionContract } from './bot/redemption-contract.ts'
import { settlementContract } from './bot/settlement-contract.ts'
import { claimContract } from './claim-contract.ts'
import { communityContract } from './community/community-contract.ts'
import { demoContract } from './demo-contract.ts'
import { finalityContract } from './finality/finality-contract.ts'
import { hintContract } from './finality/hint-contract.ts'
import { forwardOnlyContract } from './forward-only-contract.ts'
import { identityContract } from './identity-contract.ts'
import { leaseContract } from './lease-contract.ts'
import type { OpenedStores, Traits } from './opened-stores.ts'
import { operatorContract } from './operator/operator-contract.ts'
import { overviewContract } from './overview-contract.ts'
import { paymentContract } from './payment-contract.ts'
import { purchasesContract } from './purchases-contract.ts'
import { recordContract } from './record-contract.ts'
import { signInContract } from './sign-in/sign-in-contract.ts'
import { totalsContract } from './totals-contract.ts'
import { uptimeContract } from './uptime/uptime-contract.ts'
import { usageContract } from './usage-contract.ts'

export type StoreUnderTest = {
  open(): Promise<Store>
  /** Opens the same data again, as a new process would; the first one may still be open. */
  reopen(): Promise<Store>
}

/** What every store must do, whichever database stands behind it. */
export function storeContract(
  name: string,
  make: () => StoreUnderTest,
  { holdsClaims = false, keepsOrder = true, isShared = false }: Partial<Traits> = {},
): void {
  const stores: Store[] = []
  const keep = (store: Store) => {
    stores.push(store)
    return store
  }
  const opened: OpenedStores = {
    holdsClaims,
    keepsOrder,
    isShared,
    open: async () => keep(await make().open()),
    async openTwice() {
      const world = make()
      return [keep(await world.open()), keep(await world.reopen())]
    },
    async restart() {
      const world = make()
      const store = await world.open()
      const restarted = async () => {
        await store.close()
        return keep(await world.reopen())
      }
      return { store, restarted }
    },
  }
  describe(`${name} store`, () => {
    afterEach(async () => {
      for (const store of stores.splice(0)) await store.close()
    })
    basicContract(opened)
    demoContract({
      open: async () => (await opened.open()).demo,
      async openTwice() {
        const [one, other] = await opened.openTwice()
        return [one.demo, other.demo]
      },
      forgetsByDay: true,
    })
    claimContract(opened)
    leaseContract(opened)
    paymentContract(opened)
    forwardOnlyContract(opened)
    totalsContract(opened)
    overviewContract(opened)
    purchasesContract(opened)
    finalityContract(opened)
    hintContract(opened)
    usageContract(opened)
    recordContract(opened)
    identityContract(opened)
    // Holding claims changes nothing in the other books.
    if (holdsClaims) return
    tradingContract(opened)
    signInContract(opened)
    uptimeContract(opened)
  })
}

/** The books of the bot, of its operator and of visitors. */
function tradingContract(opened: OpenedStores): void {
  orderContract(opened)
  fillContract(opened)
  orderListContract(opened)
  settlementContract(opened)
  redemptionContract(opened)
  controlContract(opened)
  paperContract(opened)
  operatorContract(opened)
  communityContract(opened)
}

function basicContract({ open, restart }: OpenedStores): void {
  test('answers a ping', async () => {
    await (await open()).ping()
  })

  test('keeps demo counts over a restart', async () => {
    const { store, restarted } = await restart()
    await store.demo.take(10, [['a', 1]])
    expect(await (await restarted()).demo.load(10)).toEqual(new Map([['a', 1]]))
  })
}
