/** Every page that anybody can open, with what it has to say also where no script runs. */
const SAYS = {
  '/': [
    'paid per call',
    'Make a call',
    'A paid reply is never lost',
    'Three ways in',
    "curl 'http",
    'What it costs',
    '$0.001',
  ],
  '/docs': ['API reference', 'Signals', 'Whales'],
  '/docs/signals': ['GET /signals', 'GET /signal/btc', 'curl', '$0.0'],
  '/quickstart': ['Tollbook quickstart', 'npm install'],
  '/pricing': [
    'no subscription',
    'Free calls',
    'over all products together',
    '24 h',
    '/price/{token}',
    '$0.001',
  ],
  '/paid': ['paid endpoints', 'GET /price/{token}: $0.001'],
  '/agents': ['Agents of Tollbook', 'MCP'],
  '/methodology': ['Tollbook methodology', 'How the track record works', 'How the probability is made'],
  '/price/ETH?demo=0': [
    'ETH price in US dollars',
    '$0.001 per call',
    'Use a free call',
    'Paying here needs JavaScript',
    'What you get',
    '"price_usd"',
    'Nothing is charged',
  ],
  '/token/0x4200000000000000000000000000000000000006/diagnose?demo=0': [
    'Diagnosis of the token 0x4200…0006',
    '$0.01 per call',
    'Paying here needs JavaScript',
  ],
  '/proof': [
    'Every prediction is fixed before its five-minute window opens',
    'Scored predictions',
    'Coin flip',
    'Window, UTC',
    'This check runs in your browser and needs JavaScript',
    'verify-record http',
  ],
  '/account/receipts': ['Signing in here needs JavaScript', 'SIGN-IN-WITH-X'],
  '/admin/dashboard': ['The console needs JavaScript', './tollbook keys audit'],
  '/scalper': ['Bitcoin, 60-second average', 'This window closes in', 'Our closed signals', 'As of '],
  '/status': ['once a minute', 'Needed to serve', 'Ledger', 'Past incidents', 'How fresh prices are', 'BTC'],
  '/x402/analytics': ['Summed up from the ledger', 'Revenue', 'Wallets that paid', 'Calls by product'],
  '/no-such-page': ['404', 'Nothing is here', 'Request id'],
} as const

export const PAGES = Object.keys(SAYS) as (keyof typeof SAYS)[]
export const SAYINGS = Object.entries(SAYS)
