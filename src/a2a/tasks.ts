import type { AnyProduct } from '../catalog/catalog.ts'
import type { Clock } from '../core/time/clock.ts'
import { HOUR_MS } from '../core/time/time.ts'
import type { Task } from './task.ts'

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
/** So that one client cannot push out the tasks of all others. */
const MAX_PER_CLIENT = { tasks: 50, chars: 1_000_000 }
const KEPT_MS = HOUR_MS

/** All but the product is one text: a parsed body takes ten times its size, and its parts hold on to the whole. */
type Entry = {
  id: string
  client: string
  product: AnyProduct | undefined
  text: string
  changedAtMs: number
}
type Share = { ids: Set<string>; chars: number }

/** In memory: who has lost a task sends the whole message again, and a payment brings its stored reply. */
export function createTasks(clock: Clock): Tasks {
  /** The one that changed longest ago is first, here and in each share. */
  const entries = new Map<string, Entry>()
  const shares = new Map<string, Share>()
  let chars = 0
  const remove = (id: string) => {
    const entry = entries.get(id)
    const share = entry && shares.get(entry.client)
    if (!share) return
    entries.delete(id)
    share.ids.delete(id)
    share.chars -= entry.text.length
    chars -= entry.text.length
    if (share.ids.size === 0) shares.delete(entry.client)
  }
  const removeFirst = (ids: Iterable<string>) => {
    for (const id of ids) return remove(id)
  }
  const isOver = ({ changedAtMs }: Entry) => clock.now() - changedAtMs > KEPT_MS
  const makeRoom = (client: string, needed: number) => {
    for (const [id, entry] of entries) {
      if (!isOver(entry)) break
      remove(id)
    }
    for (let own = shares.get(client); own && isFull(own, needed); own = shares.get(client))
      removeFirst(own.ids)
    while (entries.size >= MAX_TASKS || chars + needed > MAX_CHARS) removeFirst(entries.keys())
  }
  return {
    keep({ client, asked, ...kept }) {
      const { id } = kept.task
      remove(id)
      const text = JSON.stringify({ ...kept, address: asked?.address })
      if (text.length > MAX_PER_CLIENT.chars) return
      makeRoom(client, text.length)
      const share = shares.get(client) ?? { ids: new Set(), chars: 0 }
      shares.set(client, share)
      share.ids.add(id)
      share.chars += text.length
      chars += text.length
      entries.set(id, { id, client, product: asked?.product, text, changedAtMs: clock.now() })
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

const isFull = ({ ids, chars }: Share, needed: number) =>
  ids.size >= MAX_PER_CLIENT.tasks || chars + needed > MAX_PER_CLIENT.chars
