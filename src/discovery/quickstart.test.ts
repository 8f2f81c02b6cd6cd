import { expect, test } from 'vitest'
import { z } from 'zod'
import { free } from '../catalog/access.ts'
import { createCatalog } from '../catalog/catalog.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import type { Site } from '../catalog/site.ts'
import { groupOf } from '../testing/catalog/group-of.ts'
import { harbourGroup, rendered, testSite } from '../testing/discovery/sample-site.ts'
import { discoveryGroup } from './group.ts'

const stepsOf = (site = testSite()): { title: string; text: string; code: string }[] =>
  JSON.parse(rendered(site, 'document.quickstart')).steps

test('the Markdown address and the negotiated form are one text with every step of the JSON', () => {
  const text = rendered(testSite(), 'document.quickstart_md')
  expect(rendered(testSite(), 'document.quickstart', 'text/markdown')).toBe(text)
  for (const { title, code } of stepsOf()) {
    expect(text).toContain(title)
    expect(text).toContain(code)
  }
})

test('the free call is a step only where there are free calls', () => {
  const titles = (site = testSite()) => stepsOf(site).map(({ title }) => title)
  expect(titles()).toContain('Call a paid endpoint for free')
  expect(titles(testSite({ demoCallsPerDay: 0 }))).not.toContain('Call a paid endpoint for free')
  expect(titles(testSite({ demoCallsPerDay: 0 }))).toHaveLength(titles().length - 1)
})

test('a shop that sells nothing shows no buying', () => {
  expect(stepsOf(testSite({ catalog: createCatalog([discoveryGroup]) }))).toHaveLength(1)
})

test('test keys are mentioned only where they are handed out', () => {
  const wallets = defineEndpoint({
    id: 'sandbox.wallets',
    method: 'GET',
    path: '/play-money',
    access: free,
    summary: 'Test keys',
    description: 'Hands out keys that hold test money only.',
    params: z.object({}),
    sample: {},
    response: z.object({}),
    example: {},
    handle: () => ({}),
  })
  const site = testSite()
  const withKeys = testSite({
    catalog: createCatalog<Site>([harbourGroup, groupOf(wallets), discoveryGroup]),
  })
  const said = (steps: { text: string }[]) => steps.some(({ text }) => text.includes('/play-money'))
  expect([said(stepsOf(site)), said(stepsOf(withKeys))]).toEqual([false, true])
})
