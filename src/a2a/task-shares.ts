/** In the order in which tasks give way: who forgets an undecided payment may pay twice. */
const WORTHS = ['unpaid', 'paid for', 'undecided'] as const
export type Worth = (typeof WORTHS)[number]
export type SharedTask = { id: string; customer: string; worth: Worth; chars: number }
type Size = { tasks: number; chars: number }
/** The task that changed longest ago is first of its worth. */
type Share = Size & { ids: Record<Worth, Set<string>> }

export type TaskShares = {
  add(task: SharedTask): void
  remove(task: SharedTask): void
  sizeOf(customer: string): Size
  /** The task of a customer that gives way first. */
  leastOf(customer: string): string | undefined
  /** The task of all that gives way first: of those that are worth least, one of the customer with the largest share. */
  leastOfLargest(by: keyof Size): string | undefined
}

/** Which tasks are whose. A stranger with many addresses pushes out its own tasks, and undecided payments last. */
export function createTaskShares(): TaskShares {
  const shares = new Map<string, Share>()
  return {
    add({ id, customer, worth, chars }) {
      const share = shares.get(customer) ?? emptyShare()
      shares.set(customer, share)
      share.ids[worth].add(id)
      share.tasks += 1
      share.chars += chars
    },
    remove({ id, customer, worth, chars }) {
      const share = shares.get(customer)
      if (!share?.ids[worth].delete(id)) return
      share.tasks -= 1
      share.chars -= chars
      if (share.tasks === 0) shares.delete(customer)
    },
    sizeOf: (customer) => shares.get(customer) ?? { tasks: 0, chars: 0 },
    leastOf(customer) {
      const ids = shares.get(customer)?.ids
      return WORTHS.flatMap((worth) => firstOf(ids?.[worth]) ?? [])[0]
    },
    leastOfLargest(by) {
      for (const worth of WORTHS) {
        let largest: Share | undefined
        for (const share of shares.values())
          if (share.ids[worth].size > 0 && (!largest || share[by] > largest[by])) largest = share
        if (largest) return firstOf(largest.ids[worth])
      }
      return undefined
    },
  }
}

const emptyShare = (): Share => ({
  tasks: 0,
  chars: 0,
  ids: { unpaid: new Set(), 'paid for': new Set(), undecided: new Set() },
})

function firstOf(ids: ReadonlySet<string> | undefined): string | undefined {
  for (const id of ids ?? []) return id
  return undefined
}
