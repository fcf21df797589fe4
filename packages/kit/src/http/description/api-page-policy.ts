// The content security policy of the interactive page of an API description (swagger-ui).

/**
 * Everything the page needs comes from the service. Its style attributes are inline. The plugin's own
 * policy names other hosts and asks for HTTPS, which would leave the page blank on a plain HTTP address.
 */
export const API_PAGE_POLICY = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
} as const;
