import type { Site } from '../../catalog/site.ts'
import { urlOf } from '../../discovery/address.ts'
import { html } from '../frame/html.ts'
import { codeBlock } from '../parts/code-block.ts'

/** As much as the service reads of a key. */
const KEY_CHARS = 512

/** Its field has no name, so that no form can ever send it: only the script reads it. */
export const signIn = html`<form id="sign-in" class="card narrow" autocomplete="off" hidden>
<p>Enter an operator key. It stays in the memory of this page, and is gone when you sign out, reload or leave.</p>
<p class="field"><label for="key">Operator key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" autocapitalize="off" maxlength="${KEY_CHARS}" required aria-describedby="sign-in-told"></p>
<p class="trouble" id="sign-in-told" role="status"></p>
<p class="actions"><button>Sign in</button></p>
<p class="small">The first start made a key: it is in the file <code>operator-key</code> of the data directory. <code>./tollbook keys make --label console --scope admin</code> makes another one. With <code>--scope trade</code> as well it can also sell and trade by hand.</p>
</form>`

const shellCommands = (site: Site) => `curl -H "Authorization: Bearer $KEY" ${urlOf(site, 'admin.trading')}
./tollbook keys audit --last 50
./tollbook doctor
./tollbook watercooler list`

export const withoutScripts = (site: Site) => html`<noscript>
<div class="card narrow">
<p>The console needs JavaScript: it keeps your key in memory only. Without it the same is done from a shell:</p>
${codeBlock(shellCommands(site))}
</div>
</noscript>`
