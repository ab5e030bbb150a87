/** Whether a file of a connected workspace is read: by its name, it is of a kind whose text Arc reads. */
export const isReadable = (name: string): boolean => /\.(?:docx|xlsx|xlsm|csv|md|txt)$/i.test(name);
