import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCatalog, type PaidProduct } from '../catalog/catalog.ts'
import type { Site } from '../catalog/site.ts'
import { discoveryGroup } from '../discovery/group.ts'
import { EVM_NETWORK } from '../payments/challenge/terms.ts'
import { sandboxPayment } from '../products/service/sandbox-payment.ts'
import { sandboxWallets } from '../products/service/sandbox-wallets.ts'
import { groupOf } from '../testing/catalog/group-of.ts'
import { harbourGroup, PAY_TO, testSite } from '../testing/discovery/sample-site.ts'
import { type PaywallContext, renderPaywall } from './paywall.ts'

const PAGE_LIMIT_BYTES = 17 * 1024
/** JSON behind a header of 4096 characters, the most that a challenge may have. */
const ENVELOPE_LIMIT_BYTES = 3_072

type Envelope = ReturnType<typeof envelopeOf>

function envelopeOf(site: Site) {
  const accepts = site.payment.accepts('12500')
  const resource = { url: `${site.baseUrl}/harbours/dover`, description: 'Level' }
  return { x402Version: 2, error: 'payment_required', resource, accepts, extensions: { padding: '' } }
}

type Changes = { site?: Partial<Site>; product?: Partial<PaidProduct>; envelope?: Partial<Envelope> }

function render(changes: Changes & Partial<Pick<PaywallContext, 'params' | 'isPriceAsked'>> = {}) {
  const { params = {}, isPriceAsked = false } = changes
  const site = testSite(changes.site)
  const product = { ...(site.catalog.paid[0] as PaidProduct), ...changes.product }
  const envelope = { ...envelopeOf(site), ...changes.envelope }
  const header = Buffer.from(JSON.stringify(envelope)).toString('base64')
  return renderPaywall({ header }, { site, product, params, isPriceAsked })
}

/** Without what only programs read. */
const prose = (html: string) => html.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '')

test('it shows product, price, fields and the other ways to pay', () => {
  const { html } = render()
  for (const text of ['Water level of a harbour', '$0.0125', 'deal &amp; dover', 'USDC on Base or Solana'])
    expect(prose(html)).toContain(text)
  expect(html).toContain("curl -i -H 'X-Demo: off' &#39;https://harbour.test:8443/harbours/dover&#39;")
  expect(html).toContain('npm install @x402/fetch')
  expect(html).toContain('3 calls per UTC day are free')
  expect(render({ site: { demoCallsPerDay: 0 } }).html).not.toContain('are free')
})

test('a holder whose calls are used up reads so, and of no refused payment', () => {
  const { html } = render({ envelope: { error: 'allowance_used' } })
  expect(prose(html)).toContain('the calls of this holder are used up until midnight UTC')
  expect(prose(html)).not.toContain('Your payment was refused')
})

test('an example of something else than was asked for says of what it is', () => {
  const caption = (name: string) =>
    /<caption>(.*?)<\/caption>/.exec(render({ params: { name, unit: 'ft' } }).html)?.[1]
  expect(caption('calais')).toBe(
    'JSON with these fields, as in this example, which is of deal &amp; dover, ft',
  )
  expect(caption('Deal & Dover')).toBe('JSON with these fields, as in this example')
})

test('with the largest challenge it stays light', () => {
  const size = Buffer.byteLength(JSON.stringify(envelopeOf(testSite())))
  const padding = 'x'.repeat(ENVELOPE_LIMIT_BYTES - size)
  const { html } = render({ envelope: { extensions: { padding } } })
  expect(html).toContain(padding)
  expect(Buffer.byteLength(html)).toBeLessThan(PAGE_LIMIT_BYTES)
})

test('its policy names the hashes of exactly the script and the style it holds', () => {
  const { html, contentSecurityPolicy } = render()
  const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const script = /<script type="module">(.*?)<\/script>/s.exec(html)?.[1]
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1]
  expect(contentSecurityPolicy).toBe(
    `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; connect-src 'self'; ` +
      "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect(html.match(/<script|<style| style=| on\w+=/g)).toEqual(['<style', '<script', '<script'])
})

test('text of a product or an address never becomes markup', () => {
  const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>'"`
  const { html } = render({
    product: { summary: evil, description: evil, example: { [evil]: evil } },
    envelope: { resource: { url: `https://harbour.test:8443/${evil}`, description: evil } },
  })
  expect(html).not.toContain('<script>')
  expect(html).not.toContain('<img src=x')
  expect(html.match(/<script/g)).toHaveLength(2)
  // Inside a shell's quotes a quote would end them.
  expect(html).toContain('onerror=alert(1)&gt;%27&quot;&#39;</code>')
})

test('what is read by people names no address to pay to and no other host', () => {
  const { html } = render()
  expect(html).toContain(PAY_TO.evm)
  expect(prose(html)).not.toContain(PAY_TO.evm)
  expect(prose(html)).not.toContain(PAY_TO.svm.address)
  const hosts = [...html.matchAll(/https?:\/\/[^\s"'<&]+/g)].map(([url]) => new URL(url).host)
  expect(new Set(hosts)).toEqual(new Set(['harbour.test:8443']))
})

test('simulated money is called so, and only where it is', () => {
  const sandbox = prose(render().html)
  expect(sandbox).toContain('SANDBOX: market data is simulated and the money is play money')
  expect(sandbox).toContain('Never sign here with a wallet that holds real money.')
  expect(prose(render({ site: { mode: 'paper' } }).html)).toContain('the money is play money')
  expect(prose(render({ site: { mode: 'live' } }).html)).not.toMatch(
    /simulated|play money|sandbox|real money/i,
  )
})

test('what one call brings is its title, in the words of the product', () => {
  const title = ({ name }: { name?: unknown }) => `Level at <${name}>`
  const { html } = render({ product: { title }, params: { name: 'dover' } })
  expect(html).toContain('<h1>Level at &lt;dover&gt;</h1>')
  expect(html).toContain('<title>$0.0125: Level at &lt;dover&gt; · Tollbook</title>')
})

test('it says why it is shown', () => {
  const why = (changes: Parameters<typeof render>[0]) =>
    /<p class="why">(.*?)<\/p>/.exec(render(changes).html)?.[1]
  expect(why({})).toContain('no free call is left for you today')
  expect(why({ site: { demoCallsPerDay: 0 } })).toContain('every call is paid here')
  expect(why({ isPriceAsked: true })).toContain('You asked for the price (demo=0)')
  expect(why({ envelope: { error: 'insufficient_funds' } })).toBe(
    'Your payment was refused and nothing was charged: the payer cannot cover the amount.',
  )
})

const playMoney = {
  catalog: createCatalog<Site>([harbourGroup, groupOf(sandboxWallets, sandboxPayment), discoveryGroup]),
}

test('play money is offered where the service makes it, on whatever chain it runs', () => {
  const { html } = render({ site: playMoney })
  expect(html).toContain('<a href="https://harbour.test:8443/sandbox/wallets">')
  expect(html).toContain('<button id="play" type="button" data-path="/sandbox/payment">')
  expect(render().html).not.toMatch(/\/sandbox\/|id="play"/)
  const accepts = envelopeOf(testSite()).accepts.filter(({ network }) => network !== EVM_NETWORK)
  const onSolana = render({ site: playMoney, envelope: { accepts } }).html
  expect([onSolana.includes('id="play"'), onSolana.includes('id="pay"')]).toEqual([true, false])
})

test('where Base is not accepted there is nothing to press', () => {
  const { accepts } = envelopeOf(testSite())
  const elsewhere = accepts.filter(({ network }) => network !== EVM_NETWORK)
  const { html } = render({ envelope: { accepts: elsewhere } })
  expect(html).toContain('USDC on Solana')
  expect(html).not.toMatch(/<button|<script/)
})
