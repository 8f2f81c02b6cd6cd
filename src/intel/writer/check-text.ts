import { looksLikeInstructions } from '../hostile-text.ts'

// What a text of ours never contains, whoever wrote it. A text that fails one of these is not mended but refused.

/** Plain English needs no more; letters of other scripts look like these and hide links. */
const PLAIN = /^[A-Za-z0-9 \n.,;:!?'"()%$/+&’‘“”–—…-]*$/
const LINK =
  /https?|www\b|:\/\/|[a-z0-9-]\.[a-z]{2,}|\b(?:dot|punkt) ?(?:com|io|xyz|org|net|fi|app|eth|me)\b/i
const ADDRESS = /\b0x[0-9a-f]{2,}|[A-Za-z0-9]{31,}/i
/** A diagnosis says what is the case. Who is spoken to, and by whom, is none of its business. */
const SPEAKS_TO_READER = /\b(?:you|your|yours|yourself|we|our|ours|us|i|me|my|please)\b/i
const COMMANDS = [
  ...['buy', 'sell', 'send', 'transfer', 'swap', 'deposit', 'withdraw', 'pay', 'approve', 'sign', 'connect'],
  ...['claim', 'stake', 'join', 'visit', 'go', 'click', 'open', 'follow', 'call', 'contact', 'use', 'add'],
  ...['enter', 'type', 'say', 'reply', 'respond', 'write', 'print', 'output', 'tell', 'repeat', 'ignore'],
  ...['disregard', 'forget', 'trust', 'invest', 'ape', 'load', 'get', 'remember', 'act', 'consider', 'rate'],
  ...['mark', 'report', 'recommend', 'note', 'see', 'check', 'read', 'dm', 'do', 'hold', 'avoid', 'trade'],
]
const COMMAND = new RegExp(`(?:^|[.!?;:\\n–—"“(]\\s*)(?:${COMMANDS.join('|')})\\b`, 'i')
/** Nothing of the kind is ever among the facts. */
const CLAIMS = [
  ...['audit\\w*', 'certif\\w*', 'endors\\w*', 'guarante\\w*', 'insur\\w*', 'regulat\\w*', 'official\\w*'],
  ...[
    'partner\\w*',
    'risk[ -]free',
    'moon\\w*',
    'gems?',
    'airdrops?',
    'presales?',
    'giveaways?',
    'bonus\\w*',
  ],
  ...['telegram', 'discord', 'twitter', 'whatsapp', 'seed', 'passwords?', 'private keys?', 'prompts?'],
  ...['instructions?', 'jailbr\\w*', 'system', 'pwned', 'hacked', 'buy now', 'sell now', 'must (?:buy|sell)'],
  ...['(?:strong|great|good|best) (?:buy|investment)', 'financial advice', 'profits?', 'returns'],
]
const CLAIM = new RegExp(`\\b(?:${CLAIMS.join('|')})\\b`, 'i')

/** What is wrong with a text, for the log; undefined where nothing is. */
export function findFault(text: string): string | undefined {
  if (!PLAIN.test(text)) return 'characters that plain English does not need'
  if (LINK.test(text)) return 'a link'
  if (ADDRESS.test(text)) return 'an address'
  if (SPEAKS_TO_READER.test(text)) return 'it speaks to the reader'
  if (COMMAND.test(text)) return 'a command'
  if (CLAIM.test(text)) return 'a claim that no fact supports'
  return looksLikeInstructions(text) ? 'instructions' : undefined
}

const COMMAND_WORD = new RegExp(`\\b(?:${COMMANDS.join('|')})\\b`, 'i')

/** Whether a word stands in it, wherever, that commands something. */
export const hasCommandWord = (text: string): boolean => COMMAND_WORD.test(text)
