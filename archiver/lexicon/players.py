"""Players of sound and video that pages embed, and what the names of media files end in."""

from __future__ import annotations

import re

# Host and path of the page in the frame. The hosts' own documentation of what they have others embed.
VIDEO_PLAYERS = re.compile(
    r"(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:embed|v|shorts|live)/|youtu\.be/"
    r"|player\.vimeo\.com/video/|(?:www|geo)\.dailymotion\.com/(?:embed|player)|dai\.ly/"
    r"|(?:player|clips)\.twitch\.tv/|www\.facebook\.com/plugins/video\.php|www\.tiktok\.com/(?:embed|player)"
    r"|streamable\.com/[eo]/|rumble\.com/embed/|odysee\.com/(?:\$|%24)/embed/|(?:www\.)?bitchute\.com/embed/"
    r"|players\.brightcove\.net/|(?:content\.jwplatform|cdn\.jwplayer)\.com/(?:players|videos)/"
    r"|fast\.wistia\.(?:net|com)/embed/|embed\.ted\.com/|player\.bilibili\.com/|rutube\.ru/play/embed/"
    r"|(?:www\.)?arte\.tv/(?:embeds|player)/|player\.ina\.fr/|www\.ardmediathek\.de/embed/|ngp\.zdf\.de/"
    r"|archive\.org/embed/|media\.ccc\.de/v/[^/]+/oembed|[\w.-]+/videos/embed/[\w-]+",  # the last: PeerTube
    re.IGNORECASE,
)
AUDIO_PLAYERS = re.compile(
    r"w\.soundcloud\.com/player|open\.spotify\.com/embed|embed\.(?:podcasts|music)\.apple\.com/"
    r"|bandcamp\.com/EmbeddedPlayer|(?:www|player-widget)\.mixcloud\.com/widget|widget\.deezer\.com/"
    r"|(?:player\.|playlist\.)?megaphone\.fm/|(?:html5-player|play)\.libsyn\.com/|player\.captivate\.fm/"
    r"|embed\.acast\.com/|anchor\.fm/[^?]+/embed|podcasters\.spotify\.com/pod/[^?]+/embed"
    r"|(?:rss\.)?art19\.com/[^?]+/embed|player\.simplecast\.com/|omny\.fm/[^?]+/embed"
    r"|(?:www\.)?buzzsprout\.com/|player\.podigee-cdn\.net/|(?:www\.)?podbean\.com/(?:media/)?player"
    r"|player\.fireside\.fm/|share\.transistor\.fm/e/|www\.npr\.org/player/embed/",
    re.IGNORECASE,
)

ENDINGS = {
    "audio": ("mp3", "m4a", "m4b", "aac", "oga", "ogg", "opus", "wav", "flac", "wma"),
    "video": ("mp4", "m4v", "webm", "ogv", "mov", "avi", "mkv", "wmv", "mpg", "mpeg", "m3u8", "mpd"),
    "image": ("jpg", "jpeg", "png", "gif", "webp", "avif", "svg"),
    "document": ("pdf", "epub", "txt", "doc", "docx", "odt"),
}
