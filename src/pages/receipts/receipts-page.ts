import type { Site } from '../../catalog/site.ts'
import { noticeOf } from '../../discovery/about.ts'
import { pathOf } from '../../discovery/address.ts'
import { REPLY_KEPT_HOURS } from '../frame/facts.ts'
import { type Html, html } from '../frame/html.ts'
import { codeBlock } from '../parts/code-block.ts'
import { scrolling } from '../parts/scrolling.ts'
import { walletChoice } from '../parts/wallet-choice.ts'
import { defineShellView } from '../view.ts'

const LIST = 'account.receipts'
const ABOUT = `What your wallet bought here, what it spent, and the replies of the last ${REPLY_KEPT_HOURS} hours to read again.`

/** What a wallet bought, for whoever can sign with it. */
export const receiptsView = defineShellView(LIST, (site) => ({
  title: 'Your receipts',
  description: ABOUT,
  scripts: ['pay/receipts.js'],
  isPrivate: true,
  main: html`<h1>Your receipts</h1>
<p class="lead">${ABOUT}</p>
<div id="receipts"${paths(site)}>
<div class="halves">
<section class="card" aria-labelledby="sign-in-title"><h2 id="sign-in-title">Sign in with your wallet</h2>
${signInPart(site)}</section>
<section class="card" aria-labelledby="other-title"><h2 id="other-title">Without a wallet in this browser</h2>
${otherWays(site)}</section>
</div>
${accountPart()}
</div>`,
}))

function paths({ catalog }: Site): Html {
  const at = (id: string) => pathOf(catalog, id)
  return html` data-list="${at(LIST)}" data-sign-in="${at('account.siwx')}" data-receipt="${at('payments.receipt')}" data-reply="${at('account.reply')}"`
}

function signInPart(site: Site): Html {
  return html`<div id="signing-in">
<p>Use the wallet on Base that paid. It signs a short text that names this service; that costs nothing and moves no money.</p>
<p>A signature is good for one call, so every list, download and reply asks for one. This page keeps nothing: leave it, and you are signed out.</p>
${noticeOf(site) !== '' && html`<p data-tone="warn">Purchases here are play money. A wallet that holds real money has nothing to find here.</p>`}
<p id="plain">Signing in here needs JavaScript. From a program it works without a browser.</p>
<div id="controls" hidden>
${walletChoice}
<p class="actions"><button id="sign-in" type="button">Sign in with your wallet</button></p>
</div>
</div>
<div id="signed-in" hidden>
<p>You are signed in as <code id="wallet"></code>. Each further list, download and reply asks your wallet for a signature.</p>
<p class="actions"><button id="sign-out" type="button" class="quiet">Sign out</button></p>
</div>
<p id="status" role="status"></p>`
}

function otherWays({ baseUrl, catalog }: Site): Html {
  return html`<p>If you have the id of a purchase, its signed receipt is open to you at <code>${pathOf(catalog, 'payments.receipt')}</code>: no sign-in needed. The header <code>PAYMENT-RESPONSE</code> of the reply had it.</p>
<p>A program signs in with the key that it pays with, on Base or Solana. It asks for the text to sign, and sends the signature in the header <code>SIGN-IN-WITH-X</code>; libraries for the x402 extension sign-in-with-x do both.</p>
${codeBlock(`curl ${baseUrl}${pathOf(catalog, 'account.siwx')}\ncurl -H 'SIGN-IN-WITH-X: PROOF' ${baseUrl}${pathOf(catalog, LIST)}`)}
<p>Put what your wallet signed in place of <code>PROOF</code>, in base64.</p>
<p>On a telephone, open this page in the browser of your wallet app.</p>`
}

const TABLE = html`<table>
<thead><tr><th scope="col">Reply</th><th scope="col">Paid, UTC</th><th scope="col">Request</th><th scope="col" class="number">Price</th><th scope="col">Signed receipt</th></tr></thead>
<tbody id="bought"></tbody>
</table>`

/** Filled by the script. */
function accountPart(): Html {
  return html`<section id="account" aria-labelledby="account-title" hidden>
<h2 id="account-title" tabindex="-1">Purchases</h2>
<dl class="stats">
<div><dt>Purchases</dt><dd id="purchases"></dd></div>
<div><dt>Spent</dt><dd id="spent"></dd></div>
</dl>
<p id="none" hidden>Nothing was bought with this wallet. If you paid with another one, choose it in your wallet and sign in again.</p>
${scrolling('Purchases', TABLE, html` id="table"`)}
<p class="actions"><button id="more" type="button" class="quiet" hidden>Older purchases</button> <button id="csv" type="button" class="quiet" hidden>Download as CSV</button></p>
<section id="reply" aria-labelledby="reply-title" hidden>
<h3 id="reply-title" tabindex="-1">Reply</h3>
${codeBlock('', { id: 'reply-text', isLong: true })}
</section>
</section>`
}
