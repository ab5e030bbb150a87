/** Address of a directory (tenant) of Microsoft Entra, which issues tokens for Microsoft's interfaces. */
export const directoryAddress = (tenant: string): string =>
  `https://login.microsoftonline.com/${encodeURIComponent(tenant)}`;
