import { expect, test } from 'vitest'
import { accountGroup } from '../../account/group.ts'
import { createCatalog, type PaidProduct } from '../../catalog/catalog.ts'
import type { Site } from '../../catalog/site.ts'
import { discoveryGroup } from '../../discovery/group.ts'
import { EVM_NETWORK } from '../../payments/challenge/terms.ts'
import { sandboxPayment } from '../../products/service/sandbox-payment.ts'
import { sandboxWallets } from '../../products/service/sandbox-wallets.ts'
import { groupOf } from '../../testing/catalog/group-of.ts'
import { harbourGroup, PAY_TO, testSite } from '../../testing/discovery/sample-site.ts'
import { createPaywall, type Visit } from './paywall.ts'

const PAGE_LIMIT_BYTES = 17 * 1024
const NOON_MS = Date.parse('2026-01-05T12:00:00Z')
/** JSON behind a header of 4096 characters, the most that a challenge may have. */
const ENVELOPE_LIMIT_BYTES = 3_072

type Envelope = ReturnType<typeof envelopeOf>

function envelopeOf(site: Site) {
  const accepts = site.payment.accepts('12500')
  const resource = { url: `${site.baseUrl}/harbours/dover`, description: 'Level' }
  return { x402Version: 2, error: 'payment_required', resource, accepts, extensions: { padding: '' } }
}

type Changes = { site?: Partial<Site>; product?: Partial<PaidProduct>; envelope?: Partial<Envelope> }

function render(changes: Changes & Partial<Visit> = {}): string {
  const { site: siteChanges, product: productChanges, envelope: envelopeChanges, ...visit } = changes
  const site = testSite(siteChanges)
  const product = { ...(site.catalog.paid[0] as PaidProduct), ...productChanges }
  const envelope = { ...envelopeOf(site), ...envelopeChanges }
  const header = Buffer.from(JSON.stringify(envelope)).toString('base64')
  const asked = {
    params: {},
    isPriceAsked: false,
    freeCallsLeft: 0,
    freeAt: '/harbours/dover',
    nowMs: NOON_MS,
  }
  return createPaywall(site, product)({ header }, { ...asked, ...visit })
}

/** Without what only programs read. */
const prose = (html: string) => html.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '')

test('it shows product, price, the whole example and the other ways to pay', () => {
  const page = render()
  for (const text of ['Water level of a harbour', '$0.0125', 'USDC on Base or Solana'])
    expect(prose(page)).toContain(text)
  expect(page).toContain(
    'curl -i -H &#39;X-Demo: off&#39; &#39;https://harbour.test:8443/harbours/dover&#39;',
  )
  expect(page).toContain('npm install @x402/fetch')
  const example = JSON.stringify((testSite().catalog.paid[0] as PaidProduct).example, null, 2)
  expect(prose(page)).toContain(`<code>${example.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</code>`)
})

test('it says who sells, what a failure costs and what happens afterwards', () => {
  const page = render()
  expect(page).toContain('<a href="mailto:master@harbour.test">master@harbour.test</a>')
  expect(page).toContain('Nothing is charged. The reply is made first')
  expect(page).toContain('fetches the same reply again for 24 hours, uncharged')
  expect(render({ site: { contactEmail: '' } })).not.toContain('mailto:')
})

test('free calls are told as they are', () => {
  const left = render({ freeCallsLeft: 2, freeAt: '/harbours/dover?unit=ft' })
  expect(left).toContain('<b id="free-left">2</b> of 3')
  expect(left).toContain('href="/harbours/dover?unit=ft" rel="nofollow">Use a free call</a>')
  const used = render({ nowMs: NOON_MS + 50 * 60_000 })
  expect(used).toContain('No free call is left for you today.')
  expect(used).toContain('They come back at 00:00 UTC, in 11 h 10 min.')
  const none = render({ site: { demoCallsPerDay: 0 } })
  expect(none).toContain('There are no free calls here: every call is paid.')
  for (const page of [used, none]) expect(page).not.toContain('id="use-free"')
})

test('a holder whose calls are used up reads so, and of no refused payment', () => {
  const page = render({ envelope: { error: 'allowance_used' } })
  expect(prose(page)).toContain('the calls of this holder are used up until midnight UTC')
  expect(prose(page)).not.toContain('Your payment was refused')
})

test('how holders call is told where there is a project token', () => {
  const catalog = createCatalog<Site>([harbourGroup, accountGroup, discoveryGroup])
  const link = '<a href="/docs/account">How that works</a>'
  expect(render({ site: { catalog, hasProjectToken: true } })).toContain(link)
  expect(render({ site: { catalog, hasProjectToken: false } })).not.toContain(link)
})

test('an example of something else than was asked for says of what it is', () => {
  const title = ({ unit }: { unit?: unknown }) => `Level in ${unit}`
  const page = (unit: string) => render({ product: { title }, params: { name: 'dover', unit } })
  expect(page('cm')).toContain('an example, not those of today: Level in ft.</p>')
  expect(page('ft')).toContain('an example, not those of today.</p>')
})

test('with the largest challenge it stays light', () => {
  const size = Buffer.byteLength(JSON.stringify(envelopeOf(testSite())))
  const padding = 'x'.repeat(ENVELOPE_LIMIT_BYTES - size)
  const page = render({ envelope: { extensions: { padding } } })
  expect(page).toContain(padding)
  expect(Buffer.byteLength(page)).toBeLessThan(PAGE_LIMIT_BYTES)
})

test('it is for nobody else, and nothing is written into it that runs', () => {
  const page = render()
  expect(page).toContain('<meta name="robots" content="noindex">')
  expect(page.match(/<style| style=| on\w+=/g)).toBeNull()
  const scripts = [...page.matchAll(/<script ([^>]*)>/g)].map(([, how]) => how?.replace(/\?v=[^"]*/, ''))
  expect(scripts).toEqual([
    'type="module" src="/assets/base.js"',
    'type="module" src="/assets/pay/paywall.js"',
    'type="application/json" id="terms"',
  ])
})

test('text of a product or an address never becomes markup', () => {
  const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>'"`
  const page = render({
    product: { summary: evil, description: evil, example: { [evil]: evil } },
    envelope: { resource: { url: `https://harbour.test:8443/${evil}`, description: evil } },
  })
  expect(page).not.toContain('<script>')
  expect(page).not.toContain('<img src=x')
  expect(page.match(/<script/g)).toHaveLength(3)
  expect(page).toContain('onerror=alert(1)&gt;%27&quot;&#39;</code>')
})

test('what is read by people names no address to pay to and no other host', () => {
  const page = render()
  expect(page).toContain(PAY_TO.evm)
  expect(prose(page)).not.toContain(PAY_TO.evm)
  expect(prose(page)).not.toContain(PAY_TO.svm.address)
  const hosts = [...page.matchAll(/https?:\/\/[^\s"'<&]+/g)].map(([url]) => new URL(url).host)
  expect(new Set(hosts)).toEqual(new Set(['harbour.test:8443']))
})

test('simulated money is called so, and only where it is', () => {
  const sandbox = prose(render())
  expect(sandbox).toContain('SANDBOX: market data is simulated and the money is play money')
  expect(sandbox).toContain('Never sign here with a wallet that holds real money.')
  expect(prose(render({ site: { mode: 'paper' } }))).toContain('the money is play money')
  expect(prose(render({ site: { mode: 'live' } }))).not.toMatch(/simulated|play money|sandbox|real money/i)
})

test('what one call brings is its title, in the words of the product', () => {
  const title = ({ unit }: { unit?: unknown }) => `Level in <${unit}>`
  const page = render({ product: { title }, params: { unit: 'ft' } })
  expect(page).toContain('<h1>Level in &lt;ft&gt;</h1>')
  expect(page).toContain('<title>$0.0125: Level in &lt;ft&gt; · Tollbook</title>')
})

test('a transaction can be looked up where it is on the real chain', () => {
  const explorer = /"explorer":"([^"]*)"/
  expect(explorer.exec(render({ site: { mode: 'live' } }))?.[1]).toBe('https://basescan.org/tx/')
  expect(explorer.exec(render())).toBeNull()
})

test('it says why it is shown', () => {
  const why = (changes: Parameters<typeof render>[0]) =>
    /<p class="why">(.*?)<\/p>/.exec(render(changes))?.[1]
  expect(why({})).toBeUndefined()
  expect(why({ isPriceAsked: true })).toBe('You asked for the price, so no free call was used.')
  expect(why({ envelope: { error: 'insufficient_funds' } })).toBe(
    'Your payment was refused and nothing was charged: the payer cannot cover the amount.',
  )
})

const playMoney = {
  catalog: createCatalog<Site>([harbourGroup, groupOf(sandboxWallets, sandboxPayment), discoveryGroup]),
}

test('play money is offered where the service makes it, on whatever chain it runs', () => {
  const page = render({ site: playMoney })
  expect(page).toContain('<a href="/sandbox/wallets">Funded test keys</a>')
  expect(page).toContain('<button id="play" type="button" data-path="/sandbox/payment">')
  expect(render()).not.toMatch(/\/sandbox\/|id="play"/)
  const accepts = envelopeOf(testSite()).accepts.filter(({ network }) => network !== EVM_NETWORK)
  const onSolana = render({ site: playMoney, envelope: { accepts } })
  expect([onSolana.includes('id="play"'), onSolana.includes('id="pay"')]).toEqual([true, false])
})

test('where Base is not accepted there is nothing to press', () => {
  const { accepts } = envelopeOf(testSite())
  const elsewhere = accepts.filter(({ network }) => network !== EVM_NETWORK)
  const page = render({ envelope: { accepts: elsewhere } })
  expect(page).toContain('USDC on Solana')
  expect(page).not.toMatch(/<button|paywall\.js|id="terms"/)
  expect(render({ envelope: { accepts: elsewhere }, freeCallsLeft: 1 })).toContain('paywall.js')
})
