/** What a machine may lack, and how to get it. A run ends with a list of what was skipped for it. */
const LACKS = {
  chromium:
    'no Chromium: install it (Debian: apt-get install chromium-headless-shell), or name one in CHROMIUM_PATH',
  anvil: 'no anvil that runs here: put one on the PATH (on Debian .ci/anvil does), or see the runbook',
  postgres:
    'no PostgreSQL: start one (Debian: apt-get install postgresql), or name a database in TOLLBOOK_TEST_DATABASE_URL',
  redis: 'no redis-server: install it (Debian: apt-get install redis-server)',
  nginx: 'no nginx or no openssl: install them (Debian: apt-get install nginx-light openssl)',
  promtool: 'no promtool: install it (Debian: apt-get install prometheus)',
  systemd: 'no systemd-analyze: install it (Debian: apt-get install systemd)',
  ownNode: 'no Node on the PATH but the one of the project: install one of 20 or newer, as a buyer has it',
  root: 'no right to become another user: run the tests as root',
  mount: 'no right to mount a small disk: run the tests as root on Linux',
  nativeSecp256k1: 'no native secp256k1 for this machine: npm rebuild secp256k1, with a C++ compiler',
  model: 'no model in src/signals/model: ./tollbook train makes one',
  recordedMarket:
    'no recorded market beside the project: put it into ../shared/data/dev; it is not published',
  recordedReplies:
    'no recorded replies beside the project: put them into ../shared/fixtures; they are not published',
  contract: 'no original of contract/routes.json beside the project: it belongs into ../shared/contract',
} as const

export type Lack = keyof typeof LACKS
export const SKIPPED = 'skipped: '

/** For `skip` of a test that is already running. */
export const lackOf = (lack: Lack): string => LACKS[lack]

/** For `test.skipIf`: says what is missing where it is. */
export function isMissing(lack: Lack, isThere: boolean): boolean {
  if (!isThere) console.log(`${SKIPPED}${LACKS[lack]}`)
  return !isThere
}
