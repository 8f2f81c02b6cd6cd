import { PAYING_CODE, PROGRAM, SDK } from '../../discovery/about.ts'
import { type Html, html } from '../frame/html.ts'
import { codeBlock } from '../parts/code-block.ts'

/** For programs, and for people without a wallet in their browser. */
export function otherWays(url: string): Html {
  // Inside a shell's quotes a quote would end them.
  const quoted = `'${url.replaceAll("'", '%27')}'`
  const code = `${PAYING_CODE}\n\nconst reply = await pay(${quoted})\nconsole.log(reply.status, await reply.json())`
  return html`<section aria-labelledby="other-title">
<h2 id="other-title">Other ways to pay</h2>
<p>See the price and the terms as JSON; it costs nothing:</p>
${codeBlock(`curl -i -H 'X-Demo: off' ${quoted}`)}
<details><summary>Pay from a program with any x402 client</summary>
${codeBlock(SDK.node)}
<p>${PROGRAM.save}, then run it:</p>
${codeBlock(code)}
${codeBlock(PROGRAM.run)}
<p>${PROGRAM.key}</p>
<p>In Python: <code>${SDK.py_generic}</code>. For an agent: <code>${SDK.agentcash_mcp}</code>.</p>
</details>
</section>`
}
