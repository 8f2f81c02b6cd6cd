import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type SharedName, useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { launchChromium, openTab, type Tab } from '../browser/chromium.ts'

/** The real service and a browser. */
export type Visit = {
  world: World
  browser: Browser
  /** A tab of its own for each test; afterwards it has complained of nothing and asked nobody else. */
  open(path: string): Promise<Tab['page']>
}

/** With a service that other files use too, or with one of its own. */
export function describeVisit(kind: SharedName | Record<string, string>): Visit {
  const tabs: Tab[] = []
  const visit = {
    async open(path) {
      const tab = await openTab(visit.browser)
      tabs.push(tab)
      await tab.page.goto(visit.world.url + path)
      return tab.page
    },
  } as Visit
  if (typeof kind === 'string')
    useSharedWorld(kind, (world) => {
      visit.world = world
    })
  else describeOwnWorld(visit, kind)
  beforeAll(async () => {
    visit.browser = await launchChromium()
  })
  afterEach(async () => {
    for (const { page, hosts, complaints } of tabs.splice(0)) {
      await page.context().close()
      expect([complaints, [...hosts]]).toEqual([[], [new URL(visit.world.url).host]])
    }
  })
  afterAll(() => visit.browser?.close())
  return visit
}

function describeOwnWorld(visit: Visit, env: Record<string, string>): void {
  beforeAll(async () => {
    visit.world = await startWorld(env)
  })
  afterAll(() => visit.world?.[Symbol.asyncDispose]())
}
