import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { createTerms } from '../payments/challenge/terms.ts'
import { createWallets } from '../sandbox/wallets.ts'
import { liveEnvironment } from '../testing/config/live-environment.ts'
import { PAY_TO, rendered } from '../testing/discovery/sample-site.ts'
import { describeSite } from './site.ts'

const payment = createTerms({ evm: PAY_TO.evm })
const clock = createManualClock(Date.UTC(2026, 0, 5))
const wallets = createWallets({ evm: undefined, svm: undefined })

const describe = (
  env: Record<string, string>,
  money = { wallets: undefined as typeof wallets | undefined },
) => describeSite({ config: readConfig(env), port: 4020, money, payment, clock })
const accessOf = (site: ReturnType<typeof describe>, path: string) =>
  site.catalog.endpoints.find((endpoint) => endpoint.path === path)?.access.kind

test('wallets are handed out where our own chains make play money, and nowhere else', () => {
  for (const mode of ['sandbox', 'paper']) {
    expect(accessOf(describe({ TOLLBOOK_MODE: mode }, { wallets }), '/sandbox/wallets')).toBe('free')
    expect(accessOf(describe({ TOLLBOOK_MODE: mode }), '/sandbox/wallets')).toBeUndefined()
  }
  const live = describe(liveEnvironment)
  expect(live.catalog.routes.filter(({ path }) => path.startsWith('/sandbox'))).toEqual([])
  for (const id of ['document.directory', 'document.openapi', 'document.llms_full', 'document.pricing'])
    expect(rendered(live, id)).not.toMatch(/\/sandbox|play money/i)
})

const REVENUE = ['/x402/status', '/x402/stats', '/x402/analytics']

test("revenue is public unless it is switched off, then it is the operator's and not advertised", () => {
  expect(REVENUE.map((path) => accessOf(describe(liveEnvironment), path))).toEqual(REVENUE.map(() => 'free'))
  const closed = describe({ ...liveEnvironment, TOLLBOOK_PUBLIC_REVENUE: 'off' })
  expect(REVENUE.map((path) => accessOf(closed, path))).toEqual(REVENUE.map(() => 'operator'))
  expect(accessOf(closed, '/x402/receipts/{id}')).toBe('free')
  for (const id of ['document.directory', 'document.llms', 'document.llms_full', 'document.agent_card'])
    for (const path of REVENUE) expect(rendered(closed, id)).not.toContain(path)
  const { paths } = JSON.parse(rendered(closed, 'document.openapi'))
  for (const path of REVENUE) expect(paths[path].get.security).toEqual([{ operator_key: [] }])
})

test('the chat answers under the name of the site, which is nobody else’s', () => {
  const chatOf = (env: Record<string, string>) =>
    describe(env)
      .catalog.routes.filter(({ path }) => path.endsWith('/chat'))
      .map(({ path }) => path)
  expect([chatOf({}), chatOf({ TOLLBOOK_SITE: 'my-site' })]).toEqual([['/tollbook/chat'], ['/my-site/chat']])
  for (const taken of ['price', 'api', 'x402', 'admin'])
    expect(() => describe({ TOLLBOOK_SITE: taken })).toThrow(`TOLLBOOK_SITE: ${taken} is taken by /${taken}`)
  for (const bad of ['', 'a/b', 'A', '..', '-a', 'a'.repeat(33), '{x}', 'a b'].filter(Boolean))
    expect(() => describe({ TOLLBOOK_SITE: bad })).toThrow('a mistake')
})

test('the API description shows what is answered: failures of protocols in their own form, a stored reply as it was sold', () => {
  const { paths, components } = JSON.parse(rendered(describe({}), 'document.openapi'))
  const own = { $ref: '#/components/responses/ProtocolRefused' }
  expect(paths['/a2a/message:send'].post.responses['4XX']).toEqual(own)
  expect(paths['/a2a/tasks/{id}'].get.responses[404]).toEqual(own)
  const types = Object.keys(components.responses.ProtocolRefused.content)
  expect(types).toEqual(['application/json', 'application/problem+json'])
  const exampleOf = (path: string) => paths[path].get.responses[200].content['application/json'].example
  expect(exampleOf('/account/replies/{id}').reply).toEqual(exampleOf('/price/{token}'))
  expect(exampleOf('/price/{token}')).toHaveProperty('price_usd')
})

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; description?: string }

/** Fields of a schema that say nothing of themselves, or only repeat their name. */
function silentFields(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties = {}, ...rest } = value as Schema
  const own = Object.entries(properties).flatMap(([name, field]) => [
    ...(!field.description || field.description === name ? [`${path}.${name}`] : []),
    ...silentFields(field, `${path}.${name}`),
  ])
  const inside = Object.entries(rest).filter(([key]) => !key.startsWith('example'))
  return [...own, ...inside.flatMap(([, each]) => silentFields(each, path))]
}

test('the API description says of every param and field what it means', () => {
  const { paths, components } = JSON.parse(rendered(describe({}, { wallets }), 'document.openapi'))
  const silent = Object.entries(components.schemas).flatMap(([name, schema]) => silentFields(schema, name))
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item as object).map((operation) => ({ path, operation })),
  )
  for (const { path, operation } of operations) {
    silent.push(...silentFields(operation.requestBody?.content, path))
    for (const { $ref, name, description } of operation.parameters ?? [])
      if (!$ref && (!description || description === name)) silent.push(`${path}?${name}`)
  }
  expect(operations.length).toBeGreaterThan(100)
  expect(silent).toEqual([])
})
