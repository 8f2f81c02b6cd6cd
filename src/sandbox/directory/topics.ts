/** What made-up services sell: an address, a name, words about it, and what a call costs in millionths of a USDC. */
export type Topic = { path: string; name: string; about: string; tags: readonly string[]; units: number }

const topic = (path: string, name: string, about: string, tags: string, units: number): Topic => ({
  ...{ path, name, about, units },
  tags: tags.split(' '),
})

export const TOPICS: readonly Topic[] = [
  topic(
    '/weather/forecast',
    'Weather forecast',
    'Forecast of a place for ten days, hour by hour.',
    'weather forecast climate',
    1_000,
  ),
  topic(
    '/weather/now',
    'Weather now',
    'Temperature, wind and rain of a place at this moment.',
    'weather live',
    500,
  ),
  topic(
    '/air',
    'Air quality',
    'Particles and ozone of a city, measured every hour.',
    'air weather health',
    800,
  ),
  topic(
    '/price/coins',
    'Coin prices',
    'Prices of coins against the dollar with volume of a day.',
    'crypto price market',
    1_000,
  ),
  topic(
    '/candles',
    'Candles',
    'Open, high, low and close of coins, by minute or day.',
    'crypto candles market',
    2_000,
  ),
  topic(
    '/funding',
    'Funding rates',
    'Funding of perpetual futures on five exchanges.',
    'crypto funding derivatives',
    2_000,
  ),
  topic(
    '/wallet',
    'Wallet report',
    'Balances, age and habits of a wallet on Base.',
    'wallet onchain analytics',
    5_000,
  ),
  topic(
    '/token/risk',
    'Token risk',
    'Looks for honeypots, taxes and owners in a token contract.',
    'token risk security',
    10_000,
  ),
  topic('/news', 'News search', 'Headlines of a subject with source and time.', 'news search media', 3_000),
  topic('/summary', 'Page summary', 'Reads a page and returns its main points.', 'text summary web', 8_000),
  topic(
    '/scrape',
    'Page as Markdown',
    'Fetches a page in a browser and returns plain Markdown.',
    'web scrape browser',
    4_000,
  ),
  topic(
    '/translate',
    'Translation',
    'Translates text between forty languages.',
    'text translate language',
    6_000,
  ),
  topic('/image', 'Image generator', 'Draws a picture from a description.', 'image generate art', 40_000),
  topic('/speech', 'Speech to text', 'Writes down what is said in a recording.', 'audio speech text', 30_000),
  topic('/geocode', 'Geocoder', 'Turns an address into coordinates and back.', 'map geocode location', 900),
  topic(
    '/route',
    'Route planner',
    'Distance and time between places by road or rail.',
    'map route travel',
    1_500,
  ),
  topic('/flights', 'Flight status', 'Departure, delay and gate of a flight.', 'travel flight status', 5_000),
  topic(
    '/company',
    'Company facts',
    'Registry entry, size and officers of a company.',
    'business company registry',
    20_000,
  ),
  topic('/domain', 'Domain lookup', 'Owner, age and records of a domain.', 'domain dns security', 1_200),
  topic('/qr', 'QR codes', 'Draws a QR code for any text.', 'image qr tool', 300),
  topic(
    '/email/check',
    'Mail check',
    'Says whether a mail address can be delivered to.',
    'email validation tool',
    700,
  ),
  topic(
    '/rates',
    'Exchange rates',
    'Official rates of 160 currencies by day.',
    'currency rates finance',
    400,
  ),
  topic('/sports', 'Sports results', 'Fixtures and results of forty leagues.', 'sports results data', 1_500),
  topic(
    '/random',
    'Random numbers',
    'Random numbers with a proof of how they were drawn.',
    'random proof tool',
    200,
  ),
]

/** Names of sellers, as first part of their host. */
export const BRANDS =
  'amberfox bluequay cedarloop copperhill driftpine echovale fernhollow glasswing harborlight inkwell junipertree kestrel lanternfish mapleforge nightjar oakline pebblecreek quietriver rosemoor saltmarsh tidewater umberstone violetbay willowgate yarrowfield zephyrhill brightmeadow coldspring dustyroad eastwind foxglove greyheron highmoor ironbell larkspur mistral northstar owlcreek plumtree redwing'.split(
    ' ',
  )
