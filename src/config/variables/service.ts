import { z } from 'zod'
import { LOG_LEVELS } from '../../core/log.ts'
import {
  cidrList,
  email,
  headerSecret,
  host,
  oneOf,
  secretText,
  siteUrl,
  text,
  wholeNumber,
} from './value-types.ts'
import { MODES, variable } from './variable.ts'

const MAX_PORT = 65_535
const MAX_CALLS = 1_000_000_000
const MAX_HISTORY_DAYS = 10_000
const MAX_DRAIN_MS = 300_000

/** Of the chat's address, where nothing else is configured. */
export const DEFAULT_SITE = 'tollbook'

/** How the service runs, where it is reached and who may call it. */
export const SERVICE_VARIABLES = {
  PORT: variable(wholeNumber(0, MAX_PORT).default(4020), 'Port to listen on; 0 takes a free one'),
  HOST: variable(host.default('127.0.0.1'), 'Address to listen on'),
  TOLLBOOK_MODE: variable(
    oneOf(MODES).default('sandbox'),
    'sandbox: simulated venues, local chain; paper: real data, simulated money; live: real everything',
  ),
  TOLLBOOK_DATA_DIR: variable(
    text.default('./data/<mode>'),
    'Where the embedded store, keys and chain state live; bound to its mode and to the addresses paid. <mode> stands for the mode',
  ),
  TOLLBOOK_BACKUP_PASSPHRASE: variable(
    secretText.optional(),
    'Encrypts the keys in a backup, and opens them in restore; the service itself does not need it',
    { isSecret: true },
  ),
  TOLLBOOK_BASE_URL: variable(
    siteUrl.optional(),
    'Public address used in envelopes, manifests and documents; without a path',
    { requiredIn: ['live'] },
  ),
  TOLLBOOK_OPERATOR_KEY: variable(
    headerSecret.optional(),
    "A key of the operator's with every scope, sent as Authorization: Bearer; ./tollbook keys makes more of them",
    { requiredIn: ['live'], isSecret: true },
  ),
  TOLLBOOK_CONTACT_EMAIL: variable(
    email.default('ops@tollbook.invalid'),
    'Contact in the API description and security.txt',
  ),
  TOLLBOOK_SITE: variable(
    z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must begin with a small letter and have 1 to 32 of a-z, 0-9 and -')
      .default(DEFAULT_SITE),
    "Name of the operator's website, first part of the address of the chat: /<site>/chat",
  ),
  TOLLBOOK_PUBLIC_REVENUE: variable(
    oneOf(['on', 'off']).default('on'),
    'off: /x402/status, /x402/stats and /x402/analytics answer to the operator only',
  ),
  TOLLBOOK_DEMO_CALLS_PER_DAY: variable(
    wholeNumber(0, MAX_CALLS).default(5),
    'Free calls per client and UTC day; 0 turns them off',
  ),
  TOLLBOOK_DEMO_TOTAL_PER_DAY: variable(
    wholeNumber(0, MAX_CALLS).optional(),
    'Free calls of all clients together per UTC day; absent: 20000, or the per-client limit where that is higher',
  ),
  TOLLBOOK_TRUSTED_PROXIES: variable(
    cidrList.default([]),
    'CIDRs whose X-Forwarded-For is believed; empty: the socket address counts',
  ),
  TOLLBOOK_HISTORY_DAYS: variable(
    wholeNumber(0, MAX_HISTORY_DAYS).default(400),
    'Days of what the market looked like each minute that are kept for ./tollbook train --own, about 0.6 MB each; 0 keeps none',
  ),
  TOLLBOOK_METRICS_PORT: variable(
    wholeNumber(0, MAX_PORT).optional(),
    'Serves Prometheus metrics at /metrics on a port of their own; 0 takes a free one. Absent: they are off, or on PORT where a token is set',
  ),
  TOLLBOOK_METRICS_HOST: variable(
    host.default('127.0.0.1'),
    'Address of that port. Another than one of this machine needs TOLLBOOK_METRICS_TOKEN: metrics tell what was sold',
  ),
  TOLLBOOK_METRICS_TOKEN: variable(
    headerSecret.optional(),
    'Whoever asks for metrics must send it as Authorization: Bearer, on either port',
    { isSecret: true },
  ),
  TOLLBOOK_DRAIN_MS: variable(
    wholeNumber(0, MAX_DRAIN_MS).default(1_000),
    'How long a service that was told to stop serves on while /readyz says so; longer than a load balancer takes to notice',
  ),
  TOLLBOOK_LOG_LEVEL: variable(
    oneOf(LOG_LEVELS).default('info'),
    'Least important log line that is written (to stderr)',
  ),
}
