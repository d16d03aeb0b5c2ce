// search.js - what is pasted into the search may be an error: its colons and quotes are no operators, and
// what it names is not asked for
//
// messages.json has the chapters of the page of messages, in which an ellipsis stands for a name.

let messages = [];
fetch(new URL("messages.json", document.currentScript.src))
  .then((response) => response.json())
  .then((found) => (messages = found));

const parts = (message) => message.split("…").map((part) => part.replace(/[^\w"' ]/g, "\\$&"));
const letters = (message) => message.replace(/\W/g, "").length;
const COMMON = /^(across|almost|because|cannot|either|however|neither|rather|should)$/; // are not in the index

// The longest message that the text has, if there is one; else the text.  Long words must be there, and one
// of them is last, since the last word is taken for the beginning of one.
function asked(text) {
  const found = messages.filter((message) => letters(message) > 9 && new RegExp(parts(message).join(".*")).test(text));
  const words = (found.sort((a, b) => letters(b) - letters(a))[0] ?? text).match(/\w\w+/g) ?? [];
  if (!found.length) return words.join(" ");
  return words
    .sort((a, b) => a.length - b.length)
    .map((word) => (word.length > 5 && !COMMON.test(word) ? `+${word}` : word))
    .join(" ");
}

const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  if (typeof message?.data === "string") message = { ...message, data: asked(message.data) };
  return post.call(this, message, ...more);
};
