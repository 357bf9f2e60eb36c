/** Reserved names and words, by reason. Server-side only: the list is not public (SPEC §7). */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Names that machines or people take for the service itself or its infrastructure (RFC 2142, discovery names, our own hosts). */
export const INFRASTRUCTURE = words(`
  svc www www-data web webmail mail email smtp imap pop pop3 mx api apis app apps auth oauth oauth2 openid oidc sso saml
  idp login logout signin signup signout sign-in sign-up sign-out log-in log-out register registration password passwords
  account accounts my-account admin admins administrator administration root sudo sysadmin superuser owner moderator
  operator operations ops staff team teams support helpdesk help-desk help contact feedback abuse postmaster hostmaster
  webmaster noc security secure ssl tls privacy legal terms tos dmca copyright compliance trust trust-and-safety safety
  billing billings invoice invoices payment payments pay checkout subscribe subscription subscriptions plans pricing wallet
  docs documentation reference status health healthz readyz livez metrics uptime monitor monitoring logs
  cdn assets asset static media uploads upload download downloads files storage content blobs packs s3 origin edge cache
  proxy gateway gate ingress dns ns nameserver ntp vpn ssh ftp sftp git smtp-relay relay autoconfig autodiscover wpad
  isatap localhost local localdomain broadcasthost invalid null undefined mta-sts acme ocsp crl well-known whois ldap
  mcp rpc webhook webhooks callback graphql socket sockets websocket internal intranet extranet corp private public
  dashboard console portal panel cpanel settings preferences profile profiles user users member members workspace
  workspaces project projects folder folders version versions share shares link links invite invites invitation
  comment comments export exports erase erasure device devices token tokens session sessions agent agents
  bot bots system server servers host hosts hosting host-master node nodes cluster worker workers queue database db
  sql postgres redis backup backups stage staging prod production preview canary sandbox dev development
  official verified verify verification confirm confirmation unsubscribe noreply no-reply do-not-reply mailer-daemon
  daemon nobody everyone anonymous service services news newsroom press careers blog about home index default
`)

/** Brands whose customers are worth deceiving. */
export const BRANDS = words(`
  svc paypal google gmail microsoft office365 microsoft365 outlook hotmail onedrive sharepoint azure icloud appleid
  facebook instagram whatsapp messenger meta tiktok twitter linkedin snapchat telegram discord reddit youtube netflix
  spotify amazon aws ebay etsy aliexpress alibaba shopify stripe venmo cashapp zelle klarna revolut monzo wise
  westernunion moneygram coinbase binance kraken metamask ledger trezor blockchain opensea
  visa mastercard amex americanexpress wellsfargo bankofamerica chase jpmorgan citibank citi capitalone usbank hsbc
  barclays lloyds natwest santander bbva ing rabobank deutschebank commerzbank sparkasse volksbank postbank n26 dkb
  unicredit intesa bnpparibas creditagricole societegenerale labanquepostale ubs creditsuisse raiffeisen nordea sberbank
  itau bradesco nubank icici hdfc paytm alipay wechat
  dropbox docusign adobe github gitlab bitbucket atlassian slack zoom notion figma salesforce oracle okta lastpass
  bitwarden onepassword 1password openai chatgpt anthropic claude nvidia intel samsung huawei xiaomi
  fedex ups dhl usps royalmail hermes irs hmrc medicare steam roblox epicgames playstation xbox nintendo
  apple godaddy namecheap cloudflare digitalocean heroku vercel netlify verizon tmobile vodafone att comcast xfinity
  walmart costco ikea booking airbnb uber
`)

/** Brands that are also plain English words: reserved alone and beside a sensitive word, free in a longer phrase. */
export const PLAIN_BRANDS = words(`
  apple amazon chase citi discord hermes intel kraken ledger messenger meta notion oracle outlook reddit slack steam
  stripe telegram uber ups visa wise zoom azure booking blockchain claude ing ubs att itau office365
`)

/** Words that pages collecting other people's secrets use in their names. */
export const SENSITIVE = words(`
  login logon signin signon auth authenticate authentication sso 2fa mfa otp account accounts acct id ids
  password passwords passcode pin secure secured security safe safety verify verified verification validate validation
  confirm confirmation update updates unlock unlocked locked suspended suspension limited restore recover recovery reset
  alert alerts warning notice notification support help helpdesk service services care customer customers client
  billing payment payments pay invoice invoices refund refunds wallet bank banking card cards checkout transfer
  transaction transactions official online web portal team center centre admin administrator staff desk sign log
  root sysadmin moderator
`)

/** Words that make a name look like a whole address, and words that add nothing to it. */
export const ADDRESS_PARTS = words(`www www2 com net org io inc`)
export const FILLERS = words(`my your our the a in on at to for here go get now new`)

/** Together with another sensitive word, these make a phishing name without any brand. */
export const CREDENTIALS = words(`
  login logon signin signon password passwords passcode verify verification authenticate authentication banking wallet
  2fa mfa otp account accounts admin administrator root sysadmin
`)

/** Words of the published list that are neither infrastructure nor names, but plain titles of deliverables. */
export const ORDINARY = words(`
  alpha analytics archive arrow atom ball beta board book bookmark bookmarks business calendar agenda campaign chat charter code
  community communities cardinal darden demo design directory diversity destroy dish drupal english eng event events
  example exchange explore faq faqs favorite favorites feed feeds forms forum forums foto free friend friends
  frontier gallery game games gift guide guides icon icons image images insight jobs job knowledgebase lab labs legacy
  library live map maps market marketing mirror mobile mosaicco movie music new newsletter nov old online page pages
  partner partners photo photos pics picture pictures policy post precast product products progressive promo regions
  report reports research reviews sales sands search seo shop shopping show simon site sitemap sites social software
  sport sports start store stream streaming student style styles survey tag tags target tech test testing ticket tickets
  time tool tools training travel travelers video videos volunteer volunteers williams work
`)
