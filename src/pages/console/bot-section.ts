import { BACKUP_DAYS, BACKUPS_KEPT } from '../../ledger/files/kept-backups.ts'
import { COMMANDS, type CommandName } from '../../operator/admin/commands.ts'
import { html } from '../frame/html.ts'
import { formFields } from './form-fields.ts'
import { part, type Section, titledPart } from './section.ts'

/** What the button says, and what will happen. */
const WORDS: Record<CommandName, { words: string; asks: string }> = {
  pause_bot: {
    words: 'Pause the bot…',
    asks: 'The bot places no new orders. What it holds is still settled and redeemed, and you can still buy by hand.',
  },
  resume_bot: {
    words: 'Resume the bot…',
    asks: 'The bot buys again by itself, within its limits, from its next look at a window on.',
  },
  refresh_markets: {
    words: 'Read the markets again…',
    asks: 'The lists of markets are read again from the venue. It takes up to 20 seconds.',
  },
  reconnect_feeds: {
    words: 'Reconnect the feeds…',
    asks: 'Every connection to the venues is replaced. Prices may be missing for up to 10 seconds, and calls that need them get 503.',
  },
  flush_caches: {
    words: 'Drop the caches…',
    asks: 'Kept replies and reports are dropped, and made again when they are asked for.',
  },
  backup_store: {
    words: 'Make a backup…',
    asks: `A backup of the ledger is written to the data directory. The newest ${BACKUPS_KEPT} are kept, and the newest of each of the last ${BACKUP_DAYS} days; older ones are removed.`,
  },
}

const commandButton = (command: CommandName) =>
  html`<button type="button" class="quiet" data-act="admin.command" data-params="${JSON.stringify({ command })}" data-asks="${WORDS[command].asks}">${WORDS[command].words}</button>\n`

export const botSection: Section = {
  name: 'bot',
  words: 'Bot',
  lead: 'What it is doing, and what you can make it do.',
  body: (site) => html`${part('bot-state')}
<div class="card"><h3>Controls</h3>
<p class="actions">
${COMMANDS.map(commandButton)}<button type="button" class="quiet" data-act="admin.claim_wins" data-asks="The account in use is searched for shares that have won, and they are turned into dollars. Nothing is paid twice.">Claim wins…</button>
<button type="button" class="danger" data-act="admin.reset_breaker" data-asks="The circuit breaker is closed and losses in a row are counted from zero: the bot may buy again. The loss of the day stays.">Reset the circuit breaker…</button>
</p></div>
${titledPart('Open markets', 'bot-markets')}
<div class="halves">
<form class="card" data-act="admin.buy" autocomplete="off"><h3>Buy now</h3>
${formFields(site, 'admin.buy', ['client_order_id', 'broker'])}
<p class="actions"><button>Buy…</button></p>
</form>
<form class="card" data-act="admin.boss_signal" autocomplete="off"><h3>Boss signal</h3>
${formFields(site, 'admin.boss_signal', ['broker'])}
<p class="actions"><button>Force the direction…</button></p>
</form>
</div>
${titledPart('Positions', 'bot-positions')}
${titledPart('Boss signals', 'bot-boss')}
${titledPart('Breaker', 'bot-breaker')}`,
}
