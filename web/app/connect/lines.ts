/** The terminal command that publishes, with a token or a placeholder for one. */
export const curlLine = (baseUrl: string, token = "$SVC_TOKEN"): string =>
  `curl -T report.html ${baseUrl}/v1/projects/my-report \\\n  -H "Authorization: Bearer ${token}" -H "Content-Type: text/html"`
