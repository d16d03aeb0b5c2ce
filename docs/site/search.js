// search.js - what is pasted into the search is words: an error's colons and quotes are no operators
// The last word is taken for the beginning of one, so one of a single letter would find all.

const words = (text) => text.replace(/\W+/g, " ").replace(/ \w(?= |$)/g, "");
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  if (typeof message?.data === "string") message = { ...message, data: words(message.data) };
  return post.call(this, message, ...more);
};
