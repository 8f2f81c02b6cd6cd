import { expect, test } from 'vitest'
import { describeSite } from '../../app/site.ts'
import { readConfig } from '../../config/config.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { testSite } from '../../testing/discovery/sample-site.ts'
import { consoleView } from './console-view.ts'

const site = describeSite({
  config: readConfig({}),
  port: 1,
  money: { wallets: undefined },
  payment: testSite().payment,
  clock: createManualClock(0),
})
const page = consoleView.kind === 'shell' ? consoleView.render(site) : ''
const tagOf = (attribute: string) => new RegExp(`<[^>]*${attribute}[^>]*>`).exec(page)?.[0]

test('fields of forms have the kind and the bounds that their route checks', () => {
  expect(tagOf('id="admin-change_trading_config-size_usd"')).toMatch(
    /type="number".* min="1" max="5" step="0.01"/,
  )
  expect(tagOf('id="admin-change_trading_config-max_trades_per_day"')).toMatch(/max="1152" step="1"/)
  expect(tagOf('id="admin-change_trading_config-contrarian-enabled"')).toMatch(
    /type="checkbox".* name="contrarian.enabled"/,
  )
  expect(page).toContain('<option>momentum</option>')
  expect(page).toContain('<option value="YES">UP (YES)</option><option value="NO">DOWN (NO)</option>')
  expect(tagOf('id="admin-task-title"')).toMatch(/required.* maxlength="120"/)
  expect(tagOf('id="trade-buy-size_usd"')).toContain('value="5"')
})

test('the key stands in a field without a name, which no form can send, and nothing in the page runs', () => {
  expect(tagOf('id="key"')).toMatch(/type="password" autocomplete="off"/)
  expect(tagOf('id="key"')).not.toMatch(/name=/)
  expect(page).not.toMatch(/<[^>]+ (style|on\w+)=/)
  const scripts = [...page.matchAll(/<script ([^>]*)>/g)].map(([, attributes]) => attributes)
  expect(scripts.every((attributes) => /src=|type="application\/json"/.test(attributes ?? ''))).toBe(true)
})

test('products are told by their address', () => {
  const [, block = ''] = /id="products">(.*?)<\/script>/s.exec(page) ?? []
  expect(JSON.parse(block)).toMatchObject({ 'signal.btc': 'GET /signal/btc' })
})

test('search engines are told to leave it alone', () => {
  expect(page).toContain('<meta name="robots" content="noindex">')
})
