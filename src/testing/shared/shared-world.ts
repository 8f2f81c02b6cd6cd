import { test } from 'vitest'
import { startWorld, type World } from '../world.ts'
import { closeKept, keep } from './kept.ts'

/**
 * Services that several test files use, one file after the other. For files that change nothing others would notice:
 * they buy, and call from addresses of their own (`createClient`) where calls are counted. Those with the same one run
 * one after the other (`stories-first.ts`).
 */
const WORLDS = {
  usual: {},
  'without free calls': { TOLLBOOK_DEMO_CALLS_PER_DAY: '0' },
  'with many free calls': { TOLLBOOK_DEMO_CALLS_PER_DAY: '10000' },
} as const satisfies Record<string, Record<string, string>>

export type SharedName = keyof typeof WORLDS
type Keeper = { world(name: SharedName): Promise<World> }

/** As a fixture of the worker, because those are closed before its process is ended. */
const shared = test.extend<{ $worker: { keeper: Keeper } }>({
  keeper: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs
    async ({}, use) => {
      await use({ world: (name) => keep(name, () => startWorld(WORLDS[name])) })
      await closeKept()
    },
    { scope: 'worker' },
  ],
})

export function useSharedWorld(name: SharedName, take: (world: World) => unknown): void {
  shared.beforeAll(async ({ keeper }) => {
    const world = await keeper.world(name)
    // The file before may have kept the process busy for longer than prices stay fresh.
    await world.untilFresh()
    await take(world)
  })
}
