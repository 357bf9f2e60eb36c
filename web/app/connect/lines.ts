/** What is typed into a terminal to publish, with a token or the place for one. */
export const curlLine = (baseUrl: string, token = "$SVC_TOKEN"): string =>
  `curl -T report.html ${baseUrl}/v1/projects/my-report \\\n  -H "Authorization: Bearer ${token}" -H "Content-Type: text/html"`
