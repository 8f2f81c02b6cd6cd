import type { Site } from '../../catalog/site.ts'
import { noticeOf } from '../../discovery/about.ts'
import { findPath } from '../../discovery/address.ts'
import { type Html, html } from '../frame/html.ts'
import { walletChoice } from '../parts/wallet-choice.ts'

/** Which buttons there are: for a wallet in the browser, and for one that the service makes. */
export type Ways = { wallet: boolean; playPath: string | undefined }

/** The buttons belong to the script, which shows them; until then, and without script, the page says what else works. */
export function payPart(site: Site, { wallet, playPath }: Ways, price: string): Html {
  return html`<h3>Pay ${price}</h3>
${warning(site)}
${playPath && html`<p>One click makes a wallet with play money, pays with it and forgets it.</p>`}
${wallet && html`<p>${signer(playPath)} signs a transfer of exactly ${price} on Base. You pay no network fee.</p>`}
<p id="plain">Paying here needs JavaScript. The other ways below work without it.</p>
<div id="controls" hidden>
${walletChoice}
<p id="ways" class="actions">
${playPath && html`<button id="play" type="button" data-path="${playPath}">Pay with a throw-away wallet</button>`}
${wallet && html`<button id="pay" type="button"${playPath && html` class="quiet"`}>Pay with wallet</button>`}
</p>
</div>`
}

/** From the request to the wallet on: what the browser keeps, and what can be done with it. */
export const afterwards: Html = html`<p id="waiting" class="actions" hidden><button id="cancel" type="button" class="quiet">Stop waiting for the wallet</button></p>
<p id="keeping" class="small" hidden></p>
<p id="stuck" class="actions" hidden><button id="retry" type="button">Try again</button> <button id="drop" type="button" class="quiet">Let go of the payment</button></p>
<p id="paid" class="actions" hidden><button id="done" type="button">Done</button> <button id="again" type="button" class="quiet">Buy again</button></p>`

const signer = (playPath: string | undefined) =>
  playPath ? 'Or a wallet of yours that holds a test key' : 'Your wallet'

/** What is signed for a simulated chain would be good on the real one too: only an empty wallet is safe to try with. */
function warning(site: Site): Html | false {
  if (noticeOf(site) === '') return false
  const wallets = findPath(site.catalog, 'sandbox.wallets')
  return html`<p data-tone="warn">This is play money. Never sign here with a wallet that holds real money.
${wallets && html`<a href="${wallets}">Funded test keys</a>`}</p>`
}
