import { describe, expect, test } from 'vitest'
import { isChromiumMissing } from '../browser/chromium.ts'
import { describeVisit } from './visit.ts'

describe.skipIf(isChromiumMissing)('the docs', () => {
  const visit = describeVisit({ TOLLBOOK_DEMO_CALLS_PER_DAY: '2' })

  test('a search leads to the endpoint, by keyboard alone', async () => {
    const page = await visit.open('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('whale')
    const first = page.locator('#found li').first()
    await first.waitFor()
    expect(await first.textContent()).toContain('/whales')
    // Down to the second, up to the first, and up to the box again.
    const focused = () => page.evaluate('document.activeElement.textContent')
    const titles = await page.locator('#found a').allTextContents()
    for (const [key, text] of [
      ['ArrowDown', titles[0]],
      ['ArrowDown', titles[1]],
      ['ArrowUp', titles[0]],
      ['ArrowUp', ''],
    ] as const) {
      await page.keyboard.press(key)
      expect(await focused()).toBe(text)
    }
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/whales#get-whales')
    expect(await page.locator('h1').textContent()).toBe('Whales')
    await page.goBack()
    expect(await page.getByRole('searchbox').inputValue()).toBe('whale')
    await page.locator('#found li').first().waitFor()
  })

  test('the search stands in its place from the start', async () => {
    const page = await visit.open('/docs')
    await page.route('**/docs/search.js*', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    const topOf = () => page.locator('h1').evaluate((title) => title.getBoundingClientRect().top)
    const after = await topOf()
    await page.reload()
    expect([await page.locator('#search').isVisible(), await topOf()]).toEqual([true, after])
  })

  test.each([
    ['part of an address', 'predmkt 5min', '/predmkt/5min'],
    ['a slip of the finger', 'sentimnt', '/sentiment'],
    ['a page', 'methodology of tokens', '/methodology/tokens'],
    ['its own placeholder', 'refund', '/docs#when-something-fails'],
    ['a language', 'python', '/quickstart#'],
    ['a field of a reply', 'funding rate', '/docs/derivatives#'],
    ['what a section says', 'free calls', '/docs#free-calls'],
    ['some of its words', 'whale zzzzzz', '/docs/whales#get-whales'],
  ])('finds by %s', async (_, words, path) => {
    const page = await visit.open('/docs')
    await page.getByRole('searchbox').fill(words)
    await page.locator('#found li').first().waitFor()
    const links = await page
      .locator('#found a')
      .evaluateAll((all) => all.map((link) => link.textContent + link.href))
    expect(links.join(' ')).toContain(path)
  })

  test('what everybody can call stands before what is for the operator', async () => {
    const page = await visit.open('/docs')
    await page.getByRole('searchbox').fill('signal')
    await page.locator('#found li').first().waitFor()
    const links = await page
      .locator('#found a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')))
    const isOperator = links.map((href) => /^\/docs\/(admin|trade)#/.test(href ?? ''))
    expect(isOperator).toEqual(isOperator.toSorted())
  })

  test('says when nothing is found, whatever was typed', async () => {
    const page = await visit.open('/docs')
    await page.getByRole('searchbox').fill('<img src=x onerror=alert(1)>')
    await page.getByText('Nothing has the words').waitFor()
    expect(await page.locator('img[src=x]').count()).toBe(0)
  })

  test('an endpoint is called from its place: free, then what it costs, then what is wrong', async () => {
    await visit.world.untilFresh()
    const page = await visit.open('/docs/market')
    await page.getByText('Try GET /price/{token}').click()
    const form = page.locator('form[data-path="/price/{token}"]')
    const call = form.getByRole('button', { name: 'Call it' })
    for (const left of ['1 left', '0 left']) {
      await call.click()
      await form.getByRole('status').filter({ hasText: left }).waitFor()
      expect(await form.locator('.reply').textContent()).toContain('"price_usd"')
    }
    expect(await call.textContent()).toBe('Call it ($0.001)')
    await call.click()
    await form.getByRole('status').filter({ hasText: '402: Payment required.' }).waitFor()
    // A 402 is no reply, and its JSON is there for who wants it.
    expect(await form.locator('.reply').textContent()).toContain('The 402 as JSON')
    expect(await form.locator('.reply pre').isVisible()).toBe(false)
    // What was asked for is paid for, not what was typed since.
    const pay = form.getByRole('button', { name: 'Pay $0.001 for /price/BTC with play money' })
    await form.getByLabel('token').fill('ETH')
    expect(await form.getByRole('button', { name: 'Pay' }).count()).toBe(0)
    await form.getByLabel('token').fill('BTC')
    await call.click()
    await pay.waitFor()
    expect(await form.getByRole('link', { name: 'Pay on its own page' }).getAttribute('href')).toBe(
      '/price/BTC?demo=0',
    )
    await pay.click()
    await form.getByRole('status').filter({ hasText: 'Paid. Here is your reply.' }).waitFor()
    expect(await form.locator('.reply').textContent()).toContain('"price_usd"')
    await form.getByRole('link', { name: 'Signed receipt' }).waitFor()
    // Asked again and paid again, the same payment brings the same reply.
    const bought = await form.locator('.reply code').first().textContent()
    await call.click()
    await form.getByRole('status').filter({ hasText: '402' }).waitFor()
    await pay.click()
    await form.getByRole('status').filter({ hasText: 'not charged again' }).waitFor()
    expect(await form.locator('.reply code').first().textContent()).toBe(bought)
    for (const [token, told] of [
      ['NOPE', '404'],
      ['<b>/../x?y=1', '422'],
    ] as const) {
      await form.getByLabel('token').fill(token)
      await call.click()
      await form.getByRole('status').filter({ hasText: told }).waitFor()
    }
    expect(await form.locator('.paying').isHidden()).toBe(true)
  })

  test('wallets of the same name have a button each', async () => {
    await visit.world.untilFresh()
    const page = await visit.open('/docs/market')
    const form = page.locator('form[data-path="/price/{token}"]')
    await page.evaluate(`for (const uuid of ['one', 'two']) {
      const detail = { info: { uuid, name: 'Same' }, provider: { request: async () => [] } }
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    }`)
    await page.route('**/price/BTC', async (route) => {
      const headers = { ...route.request().headers(), 'x-demo': 'off' }
      await route.fulfill({ response: await route.fetch({ headers }) })
    })
    await page.getByText('Try GET /price/{token}').click()
    await form.getByRole('button', { name: 'Call it' }).click()
    await form.getByRole('status').filter({ hasText: '402' }).waitFor()
    expect(await form.getByRole('button', { name: 'for /price/BTC with Same' }).count()).toBe(2)
  })

  test('a param with a few values is a list of them', async () => {
    const page = await visit.open('/docs/signals')
    const coins = page.locator('.try form select[name=coin] option')
    expect(await coins.allTextContents()).toEqual(['', 'btc', 'eth', 'sol', 'xrp'])
  })

  test('what needs a key has no form', async () => {
    const page = await visit.open('/docs/admin')
    expect(await page.locator('form').count()).toBe(0)
  })
})
