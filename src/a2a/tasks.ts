import { customerOf } from '../access/client-key.ts'
import type { AnyProduct } from '../catalog/catalog.ts'
import type { Clock } from '../core/time/clock.ts'
import { HOUR_MS } from '../core/time/time.ts'
import type { Task } from './task.ts'
import { createTaskShares, type SharedTask, type Worth } from './task-shares.ts'

/** A task is as secret as its id, which nobody can guess. */
export type KeptTask = {
  task: Task
  client: string
  /** Absent where no later message can go on with the task. */
  asked?: { product: AnyProduct; address: string } | undefined
  /** Whether a payment was ever sent for it. */
  hadPayment: boolean
  /** Digests of payments that may still be charged: under way, or not decided by the chain. */
  undecided: readonly string[]
}
export type Tasks = {
  keep(kept: KeptTask): void
  find(id: string): KeptTask | undefined
}

const MAX_TASKS = 1_000
/** A character takes two bytes at most. */
const MAX_CHARS = 16_000_000
/** So that one customer cannot push out the tasks of all others. */
const MAX_PER_CUSTOMER = { tasks: 50, chars: 1_000_000 }
const KEPT_MS = HOUR_MS

/** All but the product is one text: a parsed body takes ten times its size, and its parts hold on to the whole. */
type Entry = SharedTask & {
  client: string
  product: AnyProduct | undefined
  text: string
  changedAtMs: number
}

/** In memory: who has lost a task sends the whole message again, and a payment brings its stored reply. */
export function createTasks(clock: Clock): Tasks {
  /** The one that changed longest ago is first. */
  const entries = new Map<string, Entry>()
  const shares = createTaskShares()
  let chars = 0
  const remove = (id: string | undefined) => {
    const entry = id === undefined ? undefined : entries.get(id)
    if (!entry) return
    entries.delete(entry.id)
    shares.remove(entry)
    chars -= entry.chars
  }
  const isOver = ({ changedAtMs }: Entry) => clock.now() - changedAtMs > KEPT_MS
  const makeRoom = (customer: string, needed: number) => {
    for (const [id, entry] of entries) {
      if (!isOver(entry)) break
      remove(id)
    }
    const isFull = () => {
      const own = shares.sizeOf(customer)
      return own.tasks >= MAX_PER_CUSTOMER.tasks || own.chars + needed > MAX_PER_CUSTOMER.chars
    }
    while (isFull()) remove(shares.leastOf(customer))
    while (entries.size >= MAX_TASKS) remove(shares.leastOfLargest('tasks'))
    while (chars + needed > MAX_CHARS) remove(shares.leastOfLargest('chars'))
  }
  return {
    keep({ client, asked, ...kept }) {
      const { id } = kept.task
      remove(id)
      const text = JSON.stringify({ ...kept, address: asked?.address })
      if (text.length > MAX_PER_CUSTOMER.chars) return
      const customer = customerOf(client)
      makeRoom(customer, text.length)
      const shared = { id, customer, worth: worthOf(kept), chars: text.length }
      shares.add(shared)
      chars += text.length
      entries.set(id, { ...shared, client, product: asked?.product, text, changedAtMs: clock.now() })
    },
    find(id) {
      const entry = entries.get(id)
      if (!entry || isOver(entry)) return undefined
      const { client, product, text } = entry
      const { address, ...kept } = JSON.parse(text) as Omit<KeptTask, 'client' | 'asked'> & {
        address: string
      }
      return { ...kept, client, asked: product && { product, address } }
    },
  }
}

function worthOf({ hadPayment, undecided }: Pick<KeptTask, 'hadPayment' | 'undecided'>): Worth {
  if (undecided.length > 0) return 'undecided'
  return hadPayment ? 'paid for' : 'unpaid'
}
